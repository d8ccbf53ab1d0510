package io.middleware.engine.e2e;

import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The BackupStore {@code nightly} of a shop: a bucket of the local S3 server, or a folder. */
final class TestStore {
  static final String NAME = "nightly";

  private final Shop shop;

  TestStore(Shop shop) {
    this.shop = shop;
  }

  /** A bucket, whose objects begin with the shop's name. */
  TestStore inS3() {
    Engine.dev("start", "s3");
    var s3 = variables();
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
                .formatted(
                    NAME,
                    shop.namespace,
                    s3.get("S3_ENDPOINT"),
                    s3.get("S3_BUCKET"),
                    shop.namespace)));
    return this;
  }

  /** The Secret with this key. */
  void secret(String secretKey) {
    var s3 = variables();
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
  static String secretKey() {
    return variables().get("S3_SECRET_KEY");
  }

  /** A folder on a volume. */
  TestStore inFolder() {
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
  List<Path> objects() {
    var folder =
        Path.of(Engine.variable("INSTANCE_DIR"), "data", "s3", "buckets", "backups")
            .resolve(shop.namespace);
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
  List<Long> sizes() {
    return objects().stream().map(file -> file.toFile().length()).toList();
  }

  private static Map<String, String> variables() {
    var variables = new HashMap<String, String>();
    Engine.dev("env")
        .lines()
        .map(line -> line.replaceFirst("^export ", ""))
        .filter(line -> line.contains("="))
        .forEach(
            line -> {
              var name = line.substring(0, line.indexOf('='));
              var value = line.substring(line.indexOf('=') + 1).strip();
              variables.put(name, value.replaceAll("^['\"]|['\"]$", ""));
            });
    return variables;
  }

  private static String file(String path) {
    try {
      return Files.readString(Path.of(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
