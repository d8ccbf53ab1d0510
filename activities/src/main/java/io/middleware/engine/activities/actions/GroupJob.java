package io.middleware.engine.activities.actions;

import io.middleware.engine.activities.pods.AgentActionProgress;
import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.activities.resources.ActionJobs;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.operation.ActionRun;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.JobState;
import io.middleware.engine.cluster.JobTrouble;
import io.middleware.engine.render.ActionJob;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.GroupRef;
import io.temporal.client.ActivityCanceledException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Runs the action of an Operation as a Job of one group.
 *
 * <ol>
 *   <li>Write into the status that the Job begins.
 *   <li>Create it, unless it exists, and write down its uid. Its name is derived from Operation and
 *       group, so that a repeat finds it. A Job whose uid is known is never created again.
 *   <li>Wait until it has ended, or is gone. When cancelled, delete it with its pods, and wait
 *       until these are gone.
 *   <li>Write the result.
 * </ol>
 */
final class GroupJob {
  /** What lasts longer is shown in the status of the Operation. */
  private static final Duration PACE = Duration.ofSeconds(2);

  private final PodStepContext context;
  private final ActionJobs jobs;
  private final ActionRuns runs;
  private final JobTarget target;
  private String state = "";
  private long since;
  private boolean shown;

  /**
   * What is to be run where.
   *
   * @param owner as the API server has it
   */
  record JobTarget(GroupRef group, Group owner, PluginSpec plugin, ActionJob job) {}

  GroupJob(PodStepContext context, ActionJobs jobs, ActionRuns runs, JobTarget target) {
    this.context = context;
    this.jobs = jobs;
    this.runs = runs;
    this.target = target;
  }

  void run() {
    var before = Optional.ofNullable(runs.byPod().get(target.job().name()));
    if (before.filter(ActionRun::isDone).isPresent()) {
      return;
    }
    before
        .filter(it -> !it.isRunning())
        .ifPresent(
            it -> {
              throw endedBefore(it);
            });
    var app = context.gate().passWithSpec(change());
    follow(app, begun(app));
  }

  private ActionRun begun(App app) {
    var run = runs.begin(target.job().name());
    return run.uid() == null ? runs.by(run, create(app)) : run;
  }

  private String create(App app) {
    return jobs.create(
        app, target.owner(), target.plugin(), target.job(), () -> context.gate().check(change()));
  }

  private void follow(App app, ActionRun run) {
    var progress = AgentActionProgress.of(context, change());
    try {
      ended(run, end(run, progress));
      progress.done();
    } catch (ActivityCanceledException e) {
      runs.ended(run, ActionRun.CANCELLED, terminated(app, run));
      throw e;
    }
  }

  /**
   * Nothing else of the App begins before the Operation has ended. A reset may have made another
   * run, which waits for the same Job: then the Job is left to that one.
   */
  private String terminated(App app, ActionRun run) {
    context.gate().check(change());
    var termination = new JobTermination(jobs, change());
    return found(run)
        .map(job -> termination.run(app, job, context.waiter().afterCancel()))
        .orElse(JobTermination.TERMINATED);
  }

  /** Waits for the end of the Job; empty when it is gone. */
  private Optional<JobState> end(ActionRun run, AgentActionProgress progress) {
    var last = new AtomicReference<Optional<JobState>>(Optional.empty());
    context
        .waiter()
        .until(
            key(),
            () -> {
              last.set(now(run));
              var message = last.get().filter(it -> !it.hasEnded()).map(this::waiting);
              message.ifPresent(
                  it -> {
                    progress.accept(it);
                    show(run, it);
                  });
              return message;
            });
    return last.get();
  }

  /** The view may not have seen it yet. */
  private Optional<JobState> now(ActionRun run) {
    return context.view().jobs(key()).stream()
        .map(JobState::new)
        .filter(it -> it.uid().equals(run.uid()))
        .findFirst()
        .or(() -> found(run));
  }

  private Optional<JobState> found(ActionRun run) {
    return jobs.find(change().namespace(), run.pod()).filter(it -> it.uid().equals(run.uid()));
  }

  /** What the Job waits for. */
  private String waiting(JobState job) {
    var pods =
        context.view().pods(key()).stream().filter(pod -> pod.isControlledBy(job.job())).toList();
    var trouble = new JobTrouble(job, pods, () -> jobs.refusedCreation(job));
    return "group %s of component %s: %s"
        .formatted(target.group().group(), target.group().task().component(), trouble.text());
  }

  /** Such as an image that cannot be pulled. */
  private void show(ActionRun run, String message) {
    if (!message.equals(state)) {
      state = message;
      since = System.nanoTime();
      shown = false;
    } else if (!shown && System.nanoTime() - since >= PACE.toNanos()) {
      runs.waiting(run, message);
      shown = true;
    }
  }

  private void ended(ActionRun run, Optional<JobState> job) {
    if (job.isEmpty()) {
      var why = "Job %s is gone, and its result is unknown".formatted(run.pod());
      runs.ended(run, ActionRun.FAILED, why);
      throw failed(": " + why);
    }
    var end = JobEnd.of(job.get(), jobs.pods(job.get()), () -> jobs.refusedCreation(job.get()));
    if (job.get().hasSucceeded()) {
      runs.ended(run, ActionRun.SUCCEEDED, end);
      return;
    }
    runs.ended(run, ActionRun.FAILED, end);
    throw failed(": " + end.explained());
  }

  private RuntimeException failed(String how) {
    return Faults.of(
        FaultKind.ACTION_FAILED,
        "action %s of group %s failed%s"
            .formatted(target.job().action().name(), target.group().group(), how));
  }

  private RuntimeException endedBefore(ActionRun run) {
    return Faults.of(
        FaultKind.ACTION_FAILED,
        "action %s of group %s has already ended (%s) and is not retried automatically"
            .formatted(target.job().action().name(), target.group().group(), run.status()));
  }

  private AppKey key() {
    return AppKey.of(change());
  }

  private ChangeRef change() {
    return target.group().change();
  }
}
