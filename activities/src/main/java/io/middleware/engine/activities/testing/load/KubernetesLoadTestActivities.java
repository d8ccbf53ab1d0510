package io.middleware.engine.activities.testing.load;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.activities.testing.Manifest;
import io.middleware.engine.activities.testing.Manifests;
import io.middleware.engine.activities.testing.TestAccounts;
import io.middleware.engine.activities.testing.TestCleanUp;
import io.middleware.engine.activities.testing.TestObjects;
import io.middleware.engine.activities.testing.TestPods;
import io.middleware.engine.activities.testing.TestRunLookup;
import io.middleware.engine.activities.testing.TestWait;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.testing.CleanUp;
import io.middleware.engine.api.testing.LoadTest;
import io.middleware.engine.api.testing.LoadTestSpec;
import io.middleware.engine.api.testing.LoadTestStatus;
import io.middleware.engine.planning.app.SpecDurations;
import io.middleware.engine.planning.condition.HttpSources;
import io.middleware.engine.process.pods.ObjectEvents;
import io.middleware.engine.workflows.testing.port.LoadRef;
import io.middleware.engine.workflows.testing.port.LoadTestActivities;
import io.middleware.engine.workflows.testing.port.TestReasons;
import io.middleware.engine.workflows.testing.port.TestRefusal;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** {@inheritDoc} */
public final class KubernetesLoadTestActivities implements LoadTestActivities {
  private static final Duration DEFAULT_READY_TIMEOUT = Duration.ofMinutes(10);

  /**
   * Also until its pods run. Shorter than the time limits of the steps, so that a step can say what
   * it has found last.
   */
  private static final Duration LONGEST_CREATION = Duration.ofMinutes(9);

  private static final Duration LONGEST_CLEAN_UP = Duration.ofMinutes(4);

  private final TestAccounts accounts;
  private final ObjectEvents events;
  private final LoadTestStatuses statuses;
  private final TestRunLookup runs;
  private final LoadAttempt attempt;
  private final HttpSources http;
  private final InstantSource clock;

  /**
   * @param client with the engine's own rights
   * @param http what conditions ask over HTTP
   */
  public KubernetesLoadTestActivities(
      KubernetesClient client,
      TestAccounts accounts,
      TestRunLookup runs,
      HttpSources http,
      InstantSource clock) {
    this(client, accounts, runs, new TemporalLoadAttempt(), http, clock);
  }

  KubernetesLoadTestActivities(
      KubernetesClient client,
      TestAccounts accounts,
      TestRunLookup runs,
      LoadAttempt attempt,
      HttpSources http,
      InstantSource clock) {
    this.accounts = accounts;
    this.events = new ObjectEvents(client);
    this.statuses = new LoadTestStatuses(client, clock);
    this.runs = runs;
    this.attempt = attempt;
    this.http = http;
    this.clock = clock;
  }

  @Override
  public LoadBegun beginLoad(LoadRef load) {
    if (load.hasStatus() && !runs.isCurrent(load.test())) {
      throw LoadTestStatuses.superseded(load);
    }
    var test = statuses.find(load);
    var refusal = test.isEmpty() ? Optional.of(gone(load)) : refusal(load, test.get());
    if (refusal.isPresent()) {
      var why = refusal.get();
      statuses.end(load, why.phase(), why.reason(), why.message());
      return LoadBegun.refused(why);
    }
    statuses.begin(load);
    return begun(load, test.get());
  }

  private static TestRefusal gone(LoadRef load) {
    return new TestRefusal(
        LoadTestStatus.FAILED, FaultKind.SUPERSEDED.label(), "%s does not exist".formatted(load));
  }

  private Optional<TestRefusal> refusal(LoadRef load, LoadTest test) {
    if (load.hasStatus() && test.hasEnded()) {
      return Optional.of(ended(load, test.getStatus()));
    }
    if (test.isCancelled()) {
      return Optional.of(
          new TestRefusal(LoadTestStatus.CANCELLED, "", "it was cancelled before it began"));
    }
    return objects(load, test.getSpec().serviceAccountName())
        .accountProblem()
        .map(why -> new TestRefusal(LoadTestStatus.REJECTED, TestReasons.FORBIDDEN, why))
        .or(() -> invalid(problems(load, test.getSpec())));
  }

  private static Optional<TestRefusal> invalid(List<String> problems) {
    return Optional.of(String.join("; ", problems))
        .filter(all -> !all.isEmpty())
        .map(all -> new TestRefusal(LoadTestStatus.REJECTED, TestReasons.INVALID_SPEC, all));
  }

  /** Perhaps by an earlier attempt of this step. */
  private static TestRefusal ended(LoadRef load, LoadTestStatus status) {
    return load.test().runId().equals(status.runId())
        ? new TestRefusal(
            status.phase(), Objects.requireNonNullElse(status.reason(), ""), status.message())
        : new TestRefusal(
            status.phase(),
            FaultKind.SUPERSEDED.label(),
            "%s has ended before: %s".formatted(load, status.message()));
  }

  private List<String> problems(LoadRef load, LoadTestSpec spec) {
    var problems = new ArrayList<>(LoadProblems.of(load, spec, http.policy()));
    var target = spec.target();
    var named =
        Stream.concat(
            Stream.of(manifest("spec.target", target.apiVersion(), target.kind(), "")),
            Manifests.of(load.test().namespace(), "spec.workload", spec.workload())
                .objects()
                .stream());
    problems.addAll(objects(load, spec.serviceAccountName()).problems(named.toList()));
    return problems;
  }

  private LoadBegun begun(LoadRef load, LoadTest test) {
    var spec = test.getSpec();
    var site = site(load, test);
    return new LoadBegun(
        statuses.digest(test),
        spec.serviceAccountName(),
        site.workload().stream()
            .map(it -> new WorkloadObject(it.apiVersion(), it.kind(), it.name()))
            .toList(),
        SpecDurations.parse(spec.readyTimeout()).orElse(DEFAULT_READY_TIMEOUT),
        spec.cleaning() != CleanUp.NEVER,
        spec.cleaning() == CleanUp.ALWAYS,
        Optional.empty());
  }

  @Override
  public LoadTargetFound awaitTarget(LoadWait wait) {
    var load = wait.load();
    var targets = new LoadTargets(site(load));
    var missing = waiting(load, wait.timeout()).until(targets::missing);
    missing.ifPresent(
        last -> {
          throw timedOut("the target was not ready within %s: %s".formatted(words(wait), last));
        });
    var found = targets.found().orElseThrow();
    statuses.found(load, found.toString());
    return found;
  }

  private static String words(LoadWait wait) {
    return "%ds".formatted(wait.timeout().toSeconds());
  }

  @Override
  public Instant createWorkload(LoadWork work) {
    var load = work.load();
    var site = site(load);
    var workload = new Workload(site);
    var waiting = waiting(load, LONGEST_CREATION);
    waiting
        .until(() -> workload.create(work.target()))
        .ifPresent(
            last -> {
              throw timedOut("the workload could not be created: " + last);
            });
    waiting
        .until(
            new WorkloadStart(site.objects(), site.workload(), new TestPods(site.objects(), events))
                ::missing)
        .ifPresent(
            last -> {
              throw timedOut("the workload has not started: " + last);
            });
    return statuses.loaded(load);
  }

  @Override
  public LoadResult runLoad(LoadRun run) {
    var site = site(run.load());
    var checking = new LoadChecking(run, site, statuses, clock);
    var jobs = new WorkloadJobs(site.objects(), site.workload());
    return new LoadWatch(checking, jobs, attempt, clock).run();
  }

  @Override
  public String cleanUpLoad(LoadCleanUp cleanUp) {
    var end = clock.instant().plus(LONGEST_CLEAN_UP); // however long no worker was there
    var wait = new TestWait(attempt::heartbeat, clock, end, message -> {});
    var manifests =
        cleanUp.workload().stream()
            .map(it -> manifest("spec.workload", it.apiVersion(), it.kind(), it.name()))
            .toList();
    return String.join(
        "; ", new TestCleanUp(objects(cleanUp.load(), cleanUp.account()), wait).run(manifests));
  }

  static Manifest manifest(String place, String apiVersion, String kind, String name) {
    return new Manifest(
        place, Map.of("apiVersion", apiVersion, "kind", kind, "metadata", Map.of("name", name)));
  }

  @Override
  public void endLoad(LoadEnd end) {
    statuses.end(end.load(), end.phase(), end.reason(), end.why());
  }

  /** What it waits for is shown in the status when it changes. */
  private TestWait waiting(LoadRef load, Duration longest) {
    var said = new LastSaid();
    return new TestWait(
        attempt::heartbeat,
        clock,
        attempt.firstAskedFor().plus(longest),
        message -> {
          if (said.isNew(message)) {
            statuses.say(load, message);
          }
        });
  }

  private LoadSite site(LoadRef load) {
    return site(load, statuses.carriedOut(load));
  }

  private LoadSite site(LoadRef load, LoadTest test) {
    return new LoadSite(load, test, objects(load, test.getSpec().serviceAccountName()), http);
  }

  private TestObjects objects(LoadRef load, String account) {
    var namespace = load.test().namespace();
    return accounts.objects(namespace, account, load.creator());
  }

  private static ApplicationFailure timedOut(String why) {
    return ApplicationFailure.newNonRetryableFailure(why, TestReasons.TIMED_OUT);
  }

  /** Remembers what was said last. */
  private static final class LastSaid {
    private String last = "";

    boolean isNew(String message) {
      var differs = !message.equals(last);
      last = message;
      return differs;
    }
  }
}
