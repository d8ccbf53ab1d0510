package io.middleware.engine.api.operation;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.OneOf;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Map;

/** What an action of the Plugin did on one pod, or in the Job of one group. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@RecordBuilder
public record ActionRun(
    @JsonPropertyDescription("Name of the pod, or of the Job that runs it.") @Size(max = 253)
        String pod,
    @JsonPropertyDescription("UID of the pod or the Job.") @Size(max = 64) String uid,
    @JsonPropertyDescription("Name of its component.") @Size(max = 63) String component,
    @JsonPropertyDescription("Name of its group within the component.") @Size(max = 63)
        String group,
    @JsonPropertyDescription(
            "Its state. Lost: the pod disappeared before the action ended. Cancelled: it was "
                + "terminated, because the Operation was cancelled or timed out.")
        @OneOf({RUNNING, SUCCEEDED, FAILED, LOST, CANCELLED})
        String status,
    @JsonPropertyDescription("How many times it was started on a pod of this name.") @Min(0)
        Integer attempts,
    @JsonPropertyDescription("Exit code: 0 means success, 128 + n termination by signal n.")
        Integer exitCode,
    @JsonPropertyDescription("The end of what it printed, at most 1 KiB.") @Size(max = 1024)
        String output,
    @JsonPropertyDescription("The values that it reported.") @Size(max = 32)
        Map<String, @Size(max = 1024) String> values,
    @JsonPropertyDescription("What it waits for, or why it failed.") @Size(max = 4096)
        String message)
    implements ActionRunBuilder.With {
  public static final String RUNNING = "Running";
  public static final String SUCCEEDED = "Succeeded";
  public static final String FAILED = "Failed";
  public static final String LOST = "Lost";
  public static final String CANCELLED = "Cancelled";

  /** Whether it is running on this pod, as far as is known. */
  @JsonIgnore
  public boolean isRunning() {
    return RUNNING.equals(status);
  }

  /** Whether it is done on this pod. */
  @JsonIgnore
  public boolean isDone() {
    return SUCCEEDED.equals(status);
  }

  /** Whether it has run on this pod, and has failed. */
  @JsonIgnore
  public boolean hasFailed() {
    return FAILED.equals(status) && exitCode != null;
  }

  /** The same run by the object of this uid. */
  public ActionRun by(String owner) {
    return withUid(owner);
  }

  /** The same run with this message. */
  public ActionRun saying(String text) {
    return withMessage(text);
  }

  /** The same run, ended without a result. */
  public ActionRun ended(String how, String why) {
    return with().status(how).exitCode(null).output(null).values(null).message(why).build();
  }

  /** The same run, abandoned because its Operation has ended. */
  public ActionRun abandoned() {
    return ended(CANCELLED, "it was ended with the Operation, and its result is unknown");
  }

  /** The same run with its result. */
  public ActionRun ended(String how, int code, String printed, Map<String, String> found) {
    return with()
        .status(how)
        .exitCode(code)
        .output(printed.isEmpty() ? null : printed)
        .values(found.isEmpty() ? null : found)
        .message(null)
        .build();
  }
}
