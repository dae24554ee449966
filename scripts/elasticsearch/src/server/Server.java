import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/**
 * Runs one node until it gets SIGTERM or its owner has died, then removes the node's folder.
 *
 * Arguments: the pid of the owner, the folder of the node, then settings as key=value; path.home is one of them.
 */
public final class Server {
    private static final long OWNER_POLL_MILLIS = 500;

    public static void main(String[] args) throws Exception {
        long owner = Long.parseLong(args[0]);
        Path folder = Path.of(args[1]);
        Map<String, String> settings = new HashMap<>();
        for (String setting : List.of(args).subList(2, args.length)) {
            int equals = setting.indexOf('=');
            settings.put(setting.substring(0, equals), setting.substring(equals + 1));
        }
        CountDownLatch stop = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        watch(owner, stop);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            stop.countDown();
            awaitQuietly(stopped);
        }));

        try (AutoCloseable node = Product.start(settings, folder.resolve("config"))) {
            stop.await();
        } catch (Throwable failure) {
            failure.printStackTrace();
        }
        removeTree(folder);
        stopped.countDown();
        Runtime.getRuntime().halt(stop.getCount() == 0 ? 0 : 1);
    }

    private static void watch(long owner, CountDownLatch stop) {
        Thread watcher = new Thread(() -> {
            while (ProcessHandle.of(owner).map(ProcessHandle::isAlive).orElse(false)) {
                try {
                    Thread.sleep(OWNER_POLL_MILLIS);
                } catch (InterruptedException interrupted) {
                    break;
                }
            }
            stop.countDown();
        }, "owner-watch");
        watcher.setDaemon(true);
        watcher.start();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void removeTree(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
