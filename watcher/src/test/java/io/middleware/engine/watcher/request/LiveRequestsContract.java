package io.middleware.engine.watcher.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import io.middleware.engine.process.servers.LocalCluster;
import io.middleware.engine.watcher.apiserver.ClusterCase;
import io.middleware.engine.watcher.apiserver.LiveReadsContract;
import io.middleware.engine.watcher.apiserver.SeenDeletionsContract;
import io.middleware.engine.watcher.apiserver.StatusWritesContract;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The same for all kinds of requests. */
public abstract class LiveRequestsContract<T extends CustomResource<?, S>, S> extends ClusterCase<T>
    implements StatusWritesContract<T>, LiveReadsContract<T>, SeenDeletionsContract<T> {
  private final RequestKind<T, S> kind;
  private final String yaml;
  private final LiveRequests<T> objects;

  /**
   * @param yaml of a request of a name
   */
  protected LiveRequestsContract(LocalCluster cluster, RequestKind<T, S> kind, String yaml) {
    super(cluster);
    this.kind = kind;
    this.yaml = yaml;
    this.objects = new LiveRequests<>(cluster.client(), kind.type());
  }

  @Test
  void shouldSayWhetherItHasWritten() {
    // Given
    var seen = create("one");
    var before = cluster.now(seen);
    seen.setStatus(kind.waiting("Pending", "waits"));
    before.setStatus(kind.waiting("Pending", "out of date"));
    // When Then
    assertThat(objects.writeStatus(seen)).isTrue();
    assertThat(objects.writeStatus(before)).isFalse();
  }

  @Test
  void shouldWriteNothingButTheStatus() {
    // Given
    var seen = create("one");
    seen.getMetadata().setLabels(Map.of("only", "here"));
    // When
    write(seen, "waits");
    // Then
    assertThat(cluster.now(seen).getMetadata().getLabels()).isNullOrEmpty();
  }

  @Override
  public final T create(String name) {
    return cluster.create(kind.type(), yaml.formatted(name));
  }

  @Override
  public final String plural() {
    return HasMetadata.getPlural(kind.type());
  }

  @Override
  public final void write(T seen, String message) {
    seen.setStatus(kind.waiting("Pending", message));
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
