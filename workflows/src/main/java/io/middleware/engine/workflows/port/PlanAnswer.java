package io.middleware.engine.workflows.port;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.middleware.engine.api.task.ChangePlan;
import java.util.List;
import java.util.Optional;

/** The result of planning. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "answer")
@JsonSubTypes({
  @JsonSubTypes.Type(value = PlanAnswer.Planned.class, name = "planned"),
  @JsonSubTypes.Type(value = PlanAnswer.Rejected.class, name = "rejected"),
  @JsonSubTypes.Type(value = PlanAnswer.Gone.class, name = "gone"),
  @JsonSubTypes.Type(value = PlanAnswer.NotBegun.class, name = "notBegun")
})
public sealed interface PlanAnswer {

  /** The same answer for a run whose predecessor ended like this. */
  default PlanAnswer after(Optional<String> terminated) {
    return switch (this) {
      case Planned(var plan, var earlier, var none) -> new Planned(plan, earlier, terminated);
      case Rejected rejected -> rejected;
      case Gone gone -> gone;
      case NotBegun notBegun -> notBegun;
    };
  }

  /**
   * The spec is valid; these tasks carry it out, none when nothing deployed changes.
   *
   * @param earlier what an earlier run of this generation has done already
   * @param terminated how the run before this one ended, when it could not report that itself
   */
  record Planned(ChangePlan plan, List<TaskProgress> earlier, Optional<String> terminated)
      implements PlanAnswer {
    public Planned {
      earlier = List.copyOf(earlier);
    }

    /** A plan for a run whose predecessor, if any, has reported its own end. */
    public Planned(ChangePlan plan, List<TaskProgress> earlier) {
      this(plan, earlier, Optional.empty());
    }

    /** A plan for the first run of its generation. */
    public Planned(ChangePlan plan) {
      this(plan, List.of());
    }
  }

  /**
   * The spec cannot be carried out; nothing was written but the App's status.
   *
   * @param generation that was checked
   * @param reason one of the documented reasons
   * @param message names the field and what to do
   */
  record Rejected(long generation, String reason, String message) implements PlanAnswer {}

  /** The App of this uid does not exist any more. */
  record Gone() implements PlanAnswer {}

  /**
   * The Operation has ended already, or cannot begin now: the watcher starts another run when it
   * can.
   *
   * @param message why, for people
   */
  record NotBegun(String message) implements PlanAnswer {}
}
