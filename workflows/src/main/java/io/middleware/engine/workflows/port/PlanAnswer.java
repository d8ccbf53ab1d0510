package io.middleware.engine.workflows.port;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.middleware.engine.api.task.ChangePlan;

/** What planning comes to. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "answer")
@JsonSubTypes({
  @JsonSubTypes.Type(value = PlanAnswer.Planned.class, name = "planned"),
  @JsonSubTypes.Type(value = PlanAnswer.Rejected.class, name = "rejected"),
  @JsonSubTypes.Type(value = PlanAnswer.Gone.class, name = "gone")
})
public sealed interface PlanAnswer {

  /** The spec is valid; these tasks carry it out, none when nothing deployed changes. */
  record Planned(ChangePlan plan) implements PlanAnswer {}

  /**
   * The spec cannot be carried out; nothing was written but the App's status.
   *
   * @param generation that was looked at
   * @param reason one of the documented reasons
   * @param message names the field and what to do
   */
  record Rejected(long generation, String reason, String message) implements PlanAnswer {}

  /** The App of this uid does not exist any more. */
  record Gone() implements PlanAnswer {}
}
