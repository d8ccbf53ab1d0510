package io.middleware.engine.agent.store;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/** The settings of a store, see {@link StoreFiles}. */
public sealed interface StoreSettings {

  /** A folder on a mounted volume. */
  record Folder(Path path) implements StoreSettings {}

  /**
   * A bucket of an S3 service.
   *
   * @param prefix of all keys; empty, or ends with a slash
   * @param authority the file with the certificates that sign the service's; empty: those of Java
   */
  record S3(
      URI endpoint,
      String bucket,
      String prefix,
      String region,
      boolean pathStyle,
      S3Credentials credentials,
      Optional<Path> authority)
      implements StoreSettings {}

  /** An access key, which never shows its secret. */
  record S3Credentials(String accessKey, String secretKey) {
    @Override
    public String toString() {
      return "access key " + accessKey;
    }
  }

  /** Opens the store; reaches nothing yet. The classes of an S3 client are loaded only for S3. */
  default BackupStorage open() {
    return switch (this) {
      case Folder folder -> InterruptibleStore.ofFiles(new FolderStore(folder.path()));
      case S3 s3 -> InterruptibleStore.ofSockets(S3Store.of(s3));
    };
  }
}
