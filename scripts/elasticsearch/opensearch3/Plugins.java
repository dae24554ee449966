import java.util.Collection;
import java.util.List;

import org.opensearch.Version;
import org.opensearch.analysis.common.CommonAnalysisModulePlugin;
import org.opensearch.geo.GeoModulePlugin;
import org.opensearch.index.mapper.MapperExtrasModulePlugin;
import org.opensearch.painless.PainlessModulePlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.PluginInfo;
import org.opensearch.transport.Netty4ModulePlugin;

/** What differs between the majors: here as in 3.x, and without vectors: the k-NN plugin of 3.x needs others. */
final class Plugins {
    private static final List<Class<? extends Plugin>> CLASSES = List.of(
        Netty4ModulePlugin.class,
        PainlessModulePlugin.class,
        CommonAnalysisModulePlugin.class,
        MapperExtrasModulePlugin.class,
        GeoModulePlugin.class
    );

    static Collection<PluginInfo> all() {
        return CLASSES.stream().map(Plugins::described).toList();
    }

    private static PluginInfo described(Class<? extends Plugin> one) {
        String name = one.getName();
        return new PluginInfo(name, name, "NA", Version.CURRENT, "21", name, null, List.of(), false);
    }
}
