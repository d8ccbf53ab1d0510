package io.middleware.engine.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.backup.BackupStoreSpec;
import java.util.Optional;

/**
 * The BackupStore with which a Group was written last, in an annotation of it: an App goes on when
 * somebody deletes its store.
 */
public record WrittenStore(String name, BackupStoreSpec spec) {

  public static Optional<WrittenStore> of(HasMetadata group) {
    return Optional.ofNullable(group.getMetadata().getAnnotations())
        .map(annotations -> annotations.get(Labels.BACKUP_STORE))
        .flatMap(WrittenStore::read);
  }

  /** What cannot be read is not known; the next write replaces it. */
  private static Optional<WrittenStore> read(String text) {
    try {
      return Optional.ofNullable(Serialization.unmarshal(text, WrittenStore.class));
    } catch (IllegalArgumentException | KubernetesClientException e) {
      return Optional.empty();
    }
  }

  /** The value of the annotation. */
  public String text() {
    return Serialization.asJson(this);
  }
}
