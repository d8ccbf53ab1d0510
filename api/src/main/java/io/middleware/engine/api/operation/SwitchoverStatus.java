package io.middleware.engine.api.operation;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** How far the switchover of a group is. It is written before its agent is asked. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SwitchoverStatus(
    @JsonPropertyDescription("Name of the group.") @Required @Size(max = 63) String group,
    @JsonPropertyDescription("The primary when it began.") @Size(max = 253) String from,
    @JsonPropertyDescription("UID of that pod.") @Size(max = 64) String fromUid,
    @JsonPropertyDescription("The primary since; absent until it is done.") @Size(max = 253)
        String to) {

  /** The same, done. */
  public SwitchoverStatus doneTo(String primary) {
    return new SwitchoverStatus(group, from, fromUid, primary);
  }
}
