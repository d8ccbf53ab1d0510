package io.middleware.engine.agent.store;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.store.StoreSettings.S3Credentials;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A folder with the settings of a store, one file each, such as a mounted Secret. They are read
 * again for each backup, so a changed Secret needs no restart.
 */
public record StoreFiles(Path directory) implements StoreSource {

  @Override
  public StoreSettings settings() {
    var folder = value("folder");
    if (folder.isPresent()) {
      return new StoreSettings.Folder(Path.of(folder.get()));
    }
    return new StoreSettings.S3(
        endpoint(required("endpoint", "the URL of the S3 service")),
        required("bucket", "the name of the bucket, or 'folder' a path"),
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
    try {
      var endpoint = URI.create(text);
      if (endpoint.getHost() != null && endpoint.getScheme().matches("https?")) {
        return endpoint;
      }
    } catch (IllegalArgumentException e) {
      throw invalid("endpoint", "a URL such as https://s3.example.com", "'" + text + "'");
    }
    throw invalid("endpoint", "a URL such as https://s3.example.com", "'" + text + "'");
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
