package io.middleware.engine.watcher.apiserver;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.process.servers.LocalCluster;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/** Objects of a kind that a watcher reads and writes. */
public interface LiveObjects<T extends HasMetadata> {
  String HELD = "example.com/held";

  LocalCluster cluster();

  /** Creates one of this name. */
  T create(String name);

  /** One that is deleted, and held by a finalizer of somebody else. */
  default T createDeleted(String name) {
    var object = edit(create(name), it -> it.getMetadata().setFinalizers(List.of(HELD)));
    cluster().client().resource(object).delete();
    return cluster().now(object);
  }

  /** Changes the object as somebody else, whatever others write meanwhile. */
  default T edit(T object, Consumer<T> change) {
    return cluster()
        .await()
        .ignoreExceptionsMatching(LiveObjects::isConflict)
        .until(() -> editOnce(object, change), Objects::nonNull);
  }

  private T editOnce(T object, Consumer<T> change) {
    return cluster()
        .client()
        .resource(cluster().now(object))
        .edit(
            it -> {
              change.accept(it);
              return it;
            });
  }

  private static boolean isConflict(Throwable failure) {
    return failure instanceof KubernetesClientException e
        && e.getCode() == HttpURLConnection.HTTP_CONFLICT;
  }

  /** Labels the object, so that what was read before is out of date. */
  default T touch(T object) {
    return edit(object, it -> it.getMetadata().setLabels(Map.of("touched", "true")));
  }

  /** Deletes the object, and returns once it is gone. */
  default void remove(T object) {
    cluster().client().resource(object).delete();
    cluster().await().until(() -> cluster().now(object) == null);
  }

  /** Deletes the object, and creates another one of its name. */
  default T replace(T object) {
    remove(object);
    return create(object.getMetadata().getName());
  }
}
