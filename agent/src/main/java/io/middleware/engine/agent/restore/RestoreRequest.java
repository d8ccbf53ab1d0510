package io.middleware.engine.agent.restore;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The backup that a new group begins with. */
public record RestoreRequest(String key, String checksum) {
  private static final Set<String> NAMES = Set.of("key", "checksum");
  private static final Pattern CHECKSUM = Pattern.compile("sha256:[0-9a-f]{64}");

  /**
   * Reads a file with the lines {@code key …} and {@code checksum sha256:…}; empty when the file is
   * missing or empty.
   */
  public static Optional<RestoreRequest> read(Path file) {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    Map<String, String> values = new HashMap<>();
    for (var line : lines(file)) {
      var words = line.strip().split("\\s+");
      if (words.length != 2 || values.put(words[0], words[1]) != null) {
        throw malformed(file, "has the line '%s'".formatted(line));
      }
    }
    return values.isEmpty() ? Optional.empty() : Optional.of(valid(values, file));
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream().filter(line -> !line.isBlank()).toList();
    } catch (IOException e) {
      throw malformed(file, "cannot be read: " + e);
    }
  }

  private static RestoreRequest valid(Map<String, String> values, Path file) {
    if (!values.keySet().equals(NAMES)) {
      throw malformed(file, "has the lines " + values.keySet().stream().sorted().toList());
    } else if (!CHECKSUM.matcher(values.get("checksum")).matches()) {
      throw malformed(file, "has the checksum '%s'".formatted(values.get("checksum")));
    }
    return new RestoreRequest(values.get("key"), values.get("checksum"));
  }

  private static StatusRuntimeException malformed(Path file, String actual) {
    return Status.FAILED_PRECONDITION
        .withDescription(
            "%s must have the lines 'key <key>' and 'checksum sha256:<64 hexadecimal digits>', but %s"
                .formatted(file, actual))
        .asRuntimeException();
  }
}
