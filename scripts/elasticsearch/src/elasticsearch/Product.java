import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

import org.elasticsearch.common.logging.LogConfigurator;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.env.Environment;
import org.elasticsearch.node.InternalSettingsPreparer;
import org.elasticsearch.node.Node;
import org.elasticsearch.plugins.PluginsLoader;

/** A node of Elasticsearch, with the modules below its home. */
final class Product {
    static AutoCloseable start(Map<String, String> given, Path config) throws Exception {
        LogConfigurator.configureESLogging();
        Settings settings = Settings.builder().putProperties(given, name -> name).build();
        Environment env = InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), config, () -> "node");
        Path modules = Path.of(env.settings().get("path.home"), "modules");
        Node node = new Node(env, PluginsLoader.createPluginsLoader(Modules.load(modules), Set.of(), Map.of(), false));
        return node.start();
    }
}
