package io.middleware.engine.watcher.testing;

import io.fabric8.kubernetes.client.CustomResource;
import io.middleware.engine.process.servers.LocalCluster;
import io.middleware.engine.watcher.apiserver.ClusterCase;
import io.middleware.engine.watcher.apiserver.LiveReadsContract;
import io.middleware.engine.watcher.apiserver.SeenDeletionsContract;
import io.middleware.engine.watcher.apiserver.StatusWritesContract;
import java.util.Locale;
import java.util.Optional;

/** The same for both kinds of tests. */
abstract class LiveTestsContract<T extends CustomResource<?, ?>> extends ClusterCase<T>
    implements StatusWritesContract<T>, LiveReadsContract<T>, SeenDeletionsContract<T> {
  private final TestKind<T> kind;
  private final LiveTests<T> objects;

  LiveTestsContract(LocalCluster cluster, TestKind<T> kind) {
    super(cluster);
    this.kind = kind;
    this.objects = new LiveTests<>(cluster.client(), kind.type());
  }

  @Override
  public final T create(String name) {
    return cluster.create(kind.type(), SampleTests.YAML.get(kind.type()).formatted(name));
  }

  @Override
  public final String plural() {
    return kind.type().getSimpleName().toLowerCase(Locale.ROOT) + "s";
  }

  @Override
  public final void write(T seen, String message) {
    kind.putWaiting(seen, "Pending", message);
    objects.writeStatus(seen);
  }

  @Override
  public final Optional<T> live(T seen) {
    return objects.live(seen);
  }

  @Override
  public final void delete(T seen) {
    objects.delete(seen);
  }
}
