const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
let client;
exports.activate = () => {
  const [command, ...args] = workspace.getConfiguration("qlc-lsp").get("command");
  client = new LanguageClient("qlc", "qlc", { command, args }, {
    documentSelector: ["qlc", "yaml", "python"].map((language) => ({ language })),
    synchronize: { fileEvents: workspace.createFileSystemWatcher("**/*.{yaml,yml}") },
  });
  return client.start();
};
exports.deactivate = () => client?.stop();
