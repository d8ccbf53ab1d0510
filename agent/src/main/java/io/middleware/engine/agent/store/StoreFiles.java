package io.middleware.engine.agent.store;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.store.StoreSettings.S3Credentials;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A folder with the settings of a store, one file each, such as a mounted Secret. They are read
 * again for each backup, so a changed Secret needs no restart.
 */
public record StoreFiles(Path directory) implements StoreSource {
  /** No user, no path, no query: the credentials have files of their own. */
  private static final Pattern ENDPOINT =
      Pattern.compile("https?://([A-Za-z0-9][-.A-Za-z0-9]*|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?/?");

  private static final Pattern BUCKET =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  @Override
  public StoreSettings settings() {
    var folder = value("folder");
    if (folder.isPresent()) {
      return new StoreSettings.Folder(Path.of(folder.get()));
    }
    return new StoreSettings.S3(
        endpoint(required("endpoint", "the URL of the S3 service")),
        bucket(),
        value("prefix").map(StoreFiles::asFolder).orElse(""),
        value("region").orElse("us-east-1"),
        value("path-style").map(Boolean::parseBoolean).orElse(true),
        new S3Credentials(
            secret("access-key", "the id of the access key"),
            secret("secret-key", "the secret of the access key")),
        Optional.of(directory.resolve("ca.crt")).filter(Files::exists));
  }

  private static String asFolder(String prefix) {
    return prefix.endsWith("/") ? prefix : prefix + "/";
  }

  private URI endpoint(String text) {
    if (!ENDPOINT.matcher(text).matches()) {
      throw invalid("endpoint", "a URL such as https://s3.example.com", "'" + text + "'");
    }
    return URI.create(text);
  }

  private String bucket() {
    var name = required("bucket", "the name of the bucket, or 'folder' a path");
    if (!BUCKET.matcher(name).matches()) {
      throw invalid("bucket", "the name of a bucket", "'" + name + "'");
    }
    return name;
  }

  private String required(String name, String expected) {
    return value(name).orElseThrow(() -> invalid(name, expected, "missing"));
  }

  /** Plugins say which Secret has it, so that who reads the message need not look for it. */
  private String secret(String name, String expected) {
    var secret = value("secret").map(it -> " from Secret " + it).orElse("");
    return value(name).orElseThrow(() -> invalid(name, expected, "missing" + secret));
  }

  private Optional<String> value(String name) {
    var file = directory.resolve(name);
    try {
      return Files.exists(file)
          ? Optional.of(Files.readString(file).strip()).filter(text -> !text.isEmpty())
          : Optional.empty();
    } catch (IOException e) {
      throw invalid(name, "readable", "not: " + e.getMessage());
    }
  }

  private StatusRuntimeException invalid(String name, String expected, String actual) {
    return Status.FAILED_PRECONDITION
        .withDescription(
            "the setting '%s' of the backup store must be %s, but is %s: correct it in %s"
                .formatted(name, expected, actual, directory))
        .asRuntimeException();
  }
}
