import java.util.Collection;
import java.util.List;

import org.opensearch.analysis.common.CommonAnalysisPlugin;
import org.opensearch.geo.GeoModulePlugin;
import org.opensearch.index.mapper.MapperExtrasPlugin;
import org.opensearch.knn.plugin.KNNPlugin;
import org.opensearch.painless.PainlessPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.transport.Netty4Plugin;

/** What differs between the majors: here as in 2.x. */
final class Plugins {
    static Collection<Class<? extends Plugin>> all() {
        return List.of(Netty4Plugin.class, PainlessPlugin.class, CommonAnalysisPlugin.class, MapperExtrasPlugin.class, GeoModulePlugin.class, KNNPlugin.class);
    }
}
