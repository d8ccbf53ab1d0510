package io.middleware.engine.api.task;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.Locale;

/** What an Operation does to the groups that it works on. */
public enum OperationAction {
  /** Replaces every pod, in the order of the agents. */
  @JsonProperty("Restart")
  RESTART,
  /** Applies every object again, and replaces the pods that are out of date. */
  @JsonProperty("Reapply")
  REAPPLY,
  /** Makes another pod the primary. */
  @JsonProperty("Switchover")
  SWITCHOVER,
  /** Rebuilds replicas from nothing. */
  @JsonProperty("Rebuild")
  REBUILD,
  /** Changes generated passwords, and takes the earlier ones away. */
  @JsonProperty("RotateSecrets")
  ROTATE_SECRETS,
  /** Runs an action that the Plugin offers. */
  @JsonProperty("Plugin")
  PLUGIN;

  /** The action of this name: every other name is one of the Plugin's. */
  public static OperationAction of(String name) {
    return Arrays.stream(values())
        .filter(action -> action != PLUGIN && action.label().equals(name))
        .findFirst()
        .orElse(PLUGIN);
  }

  /** The word in specs and statuses. */
  public String label() {
    return Arrays.stream(name().split("_"))
        .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
        .collect(joining());
  }
}
