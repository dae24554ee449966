import java.nio.file.Path;
import java.util.Set;

import org.elasticsearch.plugins.PluginBundle;
import org.elasticsearch.plugins.PluginsLoader;

/** The call that differs between the majors: here as in 9.x. */
final class Modules {
    static Set<PluginBundle> load(Path modules) {
        return PluginsLoader.loadModulesBundles(modules, false);
    }
}
