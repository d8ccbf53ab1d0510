package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.util.Objects;

/** What became of a check of a task. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record CheckResult(
    @JsonPropertyDescription("Name of the check.") @Size(max = 63) String name,
    @JsonPropertyDescription(
            "Name of the group within the component; absent for a check of the whole component.")
        @Size(max = 63)
        String group,
    @JsonPropertyDescription("Whether it held; absent until it is decided.") Boolean passed,
    @JsonPropertyDescription("What was found, for example \"cache-db-g-1: lag = 0\".")
        @Size(max = 1024)
        String actual,
    @JsonPropertyDescription("Why it did not pass; absent when it did.") @Size(max = 4096)
        String message,
    @JsonPropertyDescription("When it was decided, in RFC 3339.") @Size(max = 64)
        String checkedAt) {

  /** A check that is not decided yet. */
  public static CheckResult planned(String name) {
    return new CheckResult(name, null, null, null, null, null);
  }

  /** Whether it is about the same check of the same group. */
  @JsonIgnore
  public boolean isOfSame(CheckResult other) {
    return name.equals(other.name) && Objects.equals(group, other.group);
  }
}
