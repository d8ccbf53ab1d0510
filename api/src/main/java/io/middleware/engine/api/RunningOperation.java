package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;

/** The Operation that an App's run carries out; it holds the App's run lock. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RunningOperation(
    @JsonPropertyDescription("Name of the Operation, for example restart-1.") @Size(max = 253)
        String name,
    @JsonPropertyDescription("UID of the Operation.") @Size(max = 64) String uid,
    @JsonPropertyDescription("What it does, for example Restart.") @Size(max = 64) String action,
    @JsonPropertyDescription("Id of its run.") @Size(max = 128) String runId,
    @JsonPropertyDescription("How many requests of operators it has received.") @Min(0)
        Integer requests,
    @JsonPropertyDescription(
            "A step that takes longer than 2 s: what an agent does in a pod, or why a pod cannot be evicted.")
        @Size(max = 4096)
        String progress) {

  /**
   * The same with this progress.
   *
   * @param message null removes it
   */
  public RunningOperation withProgress(String message) {
    return new RunningOperation(name, uid, action, runId, requests, message);
  }

  /** The same after so many requests of operators. */
  public RunningOperation withRequests(int count) {
    return new RunningOperation(name, uid, action, runId, count, progress);
  }
}
