import java.nio.file.Path;
import java.util.Map;

import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;

/** A node of OpenSearch, with its plugins from the class path. */
final class Product {
    static AutoCloseable start(Map<String, String> given, Path config) throws Exception {
        Settings settings = Settings.builder()
            .putProperties(given, name -> name)
            .put("http.type", "netty4")
            .put("transport.type", "netty4")
            .build();
        Environment env = InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), config, () -> "node");
        return new Started(env).start();
    }

    /** The constructor that takes plugins is not public. */
    private static final class Started extends Node {
        Started(Environment env) {
            super(env, Plugins.all(), false);
        }
    }
}
