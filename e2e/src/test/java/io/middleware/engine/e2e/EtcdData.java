package io.middleware.engine.e2e;

import java.nio.file.Path;
import java.util.List;

/** What etcd keeps on disk: copied, lost, or replaced by an older copy. */
public final class EtcdData {
  private static final String SERVER = "etcd";

  private EtcdData() {}

  /** Copies the data while the server stands still. */
  public static void copyTo(Path copy) {
    var pid = Engine.pid(SERVER);
    Engine.run(List.of("kill", "-STOP", pid));
    try {
      Engine.run(List.of("cp", "-r", folder().toString(), copy.toString()));
    } finally {
      Engine.run(List.of("kill", "-CONT", pid));
    }
  }

  /** Restarts the server with what was copied. */
  public static void replaceBy(Path copy) {
    restart(() -> Engine.run(List.of("cp", "-r", copy.toString(), folder().toString())));
  }

  /** Restarts the server with nothing. */
  public static void lose() {
    restart(() -> {});
  }

  private static void restart(Runnable meanwhile) {
    Engine.dev("stop", SERVER);
    Engine.run(List.of("rm", "-r", folder().toString()));
    meanwhile.run();
    Engine.dev("start", SERVER);
  }

  private static Path folder() {
    return Path.of(Engine.variable("INSTANCE_DIR"), "data", SERVER);
  }
}
