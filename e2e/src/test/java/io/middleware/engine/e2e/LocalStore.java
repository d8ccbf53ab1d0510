package io.middleware.engine.e2e;

import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** The BackupStore {@code nightly} of a shop: a bucket of the local S3 server, or a folder. */
public final class LocalStore {
  public static final String NAME = "nightly";

  private final Shop shop;

  public LocalStore(Shop shop) {
    this.shop = shop;
  }

  /**
   * Starts the S3 server, if it does not run, for one class at a time, and returns its endpoint.
   */
  public static synchronized URI startS3() {
    Engine.dev("start", "s3");
    return URI.create(Engine.variables().get("S3_ENDPOINT"));
  }

  /** A bucket, whose objects begin with the shop's name. */
  public LocalStore inS3() {
    return inS3(startS3());
  }

  /** The same bucket by another way to the server. */
  public LocalStore inS3(URI endpoint) {
    var s3 = Engine.variables();
    secret(s3.get("S3_SECRET_KEY"));
    shop.apply(
        new Yaml(
            """
            apiVersion: middleware.io/v1
            kind: BackupStore
            metadata: {name: %s, namespace: %s}
            spec:
              s3: {endpoint: "%s", bucket: %s, prefix: %s, secretRef: {name: s3-key}}
            """
                .formatted(NAME, shop.namespace, endpoint, s3.get("S3_BUCKET"), shop.namespace)));
    return this;
  }

  /** The Secret with this key. */
  public void secret(String secretKey) {
    var s3 = Engine.variables();
    var secret =
        new SecretBuilder()
            .withNewMetadata()
            .withNamespace(shop.namespace)
            .withName("s3-key")
            .endMetadata()
            .addToStringData("access-key", s3.get("S3_ACCESS_KEY"))
            .addToStringData("secret-key", secretKey)
            .addToStringData("ca.crt", file(s3.get("S3_CA")))
            .build();
    shop.client.resource(secret).forceConflicts().serverSideApply();
  }

  /** The secret of the key that the S3 server takes. */
  public static String secretKey() {
    return Engine.variables().get("S3_SECRET_KEY");
  }

  /** A folder on a volume. */
  public LocalStore inFolder() {
    shop.apply(
        new Yaml(
            """
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {name: backups, namespace: %1$s}
            spec: {accessModes: [ReadWriteMany], resources: {requests: {storage: 1Gi}}}
            ---
            apiVersion: middleware.io/v1
            kind: BackupStore
            metadata: {name: %2$s, namespace: %1$s}
            spec: {folder: {claimName: backups, path: redis}}
            """
                .formatted(shop.namespace, NAME)));
    return this;
  }

  /** The objects in S3, as files of its server. */
  public List<Path> objects() {
    return files(bucket().resolve(shop.namespace));
  }

  /** The parts of unfinished uploads in S3, of all shops, as files of its server. */
  public static List<Path> unfinished() {
    return files(bucket().resolve(".sgwtmp").resolve("multipart"));
  }

  /** The checksum of an object in S3, as a Backup has it. */
  public String checksum(String key) {
    try {
      var content = Files.readAllBytes(bucket().resolve(shop.namespace).resolve(key));
      var digest = MessageDigest.getInstance("SHA-256").digest(content);
      return "sha256:" + HexFormat.of().formatHex(digest);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Path bucket() {
    return Path.of(Engine.variable("INSTANCE_DIR"), "data", "s3", "buckets", "backups");
  }

  private static List<Path> files(Path folder) {
    if (!Files.exists(folder)) {
      return List.of();
    }
    try (var files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The sizes of the objects in S3. */
  public List<Long> sizes() {
    return objects().stream().map(file -> file.toFile().length()).toList();
  }

  private static String file(String path) {
    try {
      return Files.readString(Path.of(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
