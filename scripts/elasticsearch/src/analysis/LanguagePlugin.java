import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.core.UpperCaseFilter;
import org.apache.lucene.analysis.de.GermanAnalyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.en.EnglishPossessiveFilter;
import org.apache.lucene.analysis.en.KStemFilter;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.es.SpanishAnalyzer;
import org.apache.lucene.analysis.fr.FrenchAnalyzer;
import org.apache.lucene.analysis.it.ItalianAnalyzer;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.apache.lucene.analysis.miscellaneous.TrimFilter;
import org.apache.lucene.analysis.nl.DutchAnalyzer;
import org.apache.lucene.analysis.pt.PortugueseAnalyzer;
import org.elasticsearch.index.analysis.Analysis;
import org.elasticsearch.index.analysis.AnalyzerProvider;
import org.elasticsearch.index.analysis.AnalyzerScope;
import org.elasticsearch.index.analysis.NormalizingTokenFilterFactory;
import org.elasticsearch.index.analysis.TokenFilterFactory;
import org.elasticsearch.indices.analysis.AnalysisModule.AnalysisProvider;
import org.elasticsearch.plugins.AnalysisPlugin;
import org.elasticsearch.plugins.Plugin;

/**
 * Registers Lucene's own language analyzers and token filters under the names Elasticsearch gives them.
 *
 * Elasticsearch registers them in its analysis-common module, which is not published; the classes are the same.
 */
public final class LanguagePlugin extends Plugin implements AnalysisPlugin {
    @Override
    public Map<String, AnalysisProvider<AnalyzerProvider<? extends Analyzer>>> getAnalyzers() {
        Map<String, AnalysisProvider<AnalyzerProvider<? extends Analyzer>>> analyzers = new TreeMap<>();
        analyzers.put("english", analyzer(EnglishAnalyzer.getDefaultStopSet(), EnglishAnalyzer::new));
        analyzers.put("german", analyzer(GermanAnalyzer.getDefaultStopSet(), GermanAnalyzer::new));
        analyzers.put("french", analyzer(FrenchAnalyzer.getDefaultStopSet(), FrenchAnalyzer::new));
        analyzers.put("spanish", analyzer(SpanishAnalyzer.getDefaultStopSet(), SpanishAnalyzer::new));
        analyzers.put("italian", analyzer(ItalianAnalyzer.getDefaultStopSet(), ItalianAnalyzer::new));
        analyzers.put("portuguese", analyzer(PortugueseAnalyzer.getDefaultStopSet(), PortugueseAnalyzer::new));
        analyzers.put("dutch", analyzer(DutchAnalyzer.getDefaultStopSet(), DutchAnalyzer::new));
        return analyzers;
    }

    @Override
    public Map<String, AnalysisProvider<TokenFilterFactory>> getTokenFilters() {
        Map<String, AnalysisProvider<TokenFilterFactory>> filters = new TreeMap<>();
        filters.put("lowercase", normalizing(LowerCaseFilter::new));
        filters.put("uppercase", normalizing(UpperCaseFilter::new));
        filters.put("asciifolding", normalizing(ASCIIFoldingFilter::new));
        filters.put("trim", normalizing(TrimFilter::new));
        filters.put("porter_stem", plain(PorterStemFilter::new));
        filters.put("kstem", plain(KStemFilter::new));
        filters.put("english_possessive", plain(EnglishPossessiveFilter::new));
        return filters;
    }

    private static AnalysisProvider<AnalyzerProvider<? extends Analyzer>> analyzer(
        CharArraySet defaults,
        Function<CharArraySet, Analyzer> build
    ) {
        return (indexSettings, environment, name, settings) -> {
            Analyzer analyzer = build.apply(Analysis.parseStopWords(environment, settings, defaults));
            return new AnalyzerProvider<Analyzer>() {
                @Override
                public String name() {
                    return name;
                }

                @Override
                public AnalyzerScope scope() {
                    return AnalyzerScope.INDEX;
                }

                @Override
                public Analyzer get() {
                    return analyzer;
                }
            };
        };
    }

    private static AnalysisProvider<TokenFilterFactory> normalizing(UnaryOperator<TokenStream> wrap) {
        return (indexSettings, environment, name, settings) -> new NormalizingTokenFilterFactory() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public TokenStream create(TokenStream tokens) {
                return wrap.apply(tokens);
            }
        };
    }

    private static AnalysisProvider<TokenFilterFactory> plain(UnaryOperator<TokenStream> wrap) {
        return (indexSettings, environment, name, settings) -> new TokenFilterFactory() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public TokenStream create(TokenStream tokens) {
                return wrap.apply(tokens);
            }
        };
    }
}
