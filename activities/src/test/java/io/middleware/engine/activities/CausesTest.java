package io.middleware.engine.activities;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.middleware.engine.activities.pods.BudgetedEviction;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.ExistingPods;
import io.middleware.engine.cluster.FakeView;
import io.middleware.engine.cluster.JobState;
import io.middleware.engine.cluster.JobTrouble;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.cluster.SampleObjects;
import io.middleware.engine.process.pods.EventTexts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of causes in the documentation says what people read. */
class CausesTest {
  private static final Path PAGE = Path.of("../docs/operations/pods.md");
  private static final Pattern ROW = Pattern.compile("\\| ([^|]+) \\| `([^`]+)` \\| [^|]+ \\|");

  private static final String SET = "cache-redis-nodes-shard-0";
  private static final String POD = SET + "-1";
  private static final String FORBIDDEN = "pods \"%s\" is forbidden: ".formatted(POD);

  /** Longer lines are cut where people look first: columns of kubectl, lists of alerts. */
  private static final int LOOKED_AT = 120;

  /** By cause, what people must find at the begin of the message of the App, with the pod. */
  private static final Map<String, String> TOLD_FIRST =
      Map.ofEntries(
          Map.entry("image", "image r:7"),
          Map.entry("pull secret", "image pull secrets"),
          Map.entry("quota", "exceeded quota: pods"),
          Map.entry("LimitRange", "maximum memory usage"),
          Map.entry("webhook", "webhook \"v.io\" denied"),
          Map.entry("webhook does not answer", "failed calling webhook \"v.io\""),
          Map.entry("policy", "PodSecurity \"restricted"),
          Map.entry("mount", "FailedMount"),
          Map.entry("attach", "Multi-Attach"),
          Map.entry("out of memory", "OOMKilled"),
          Map.entry("crash", "Fatal error: bad"),
          Map.entry("probe", "Readiness probe failed"),
          Map.entry("cordoned node", "unschedulable"),
          Map.entry("taint", "untolerated taint"),
          Map.entry("affinity", "pod anti-affi"),
          Map.entry("volume bound to a node", "volume node affinity"),
          Map.entry("no StorageClass", "storageclass"),
          Map.entry("node lost", "node w1"),
          Map.entry("agent without a role", "reports no role"));

  /** What is said for each cause. */
  private static final Map<String, String> SAID =
      Map.ofEntries(
          Map.entry("image", said(waiting("ImagePullBackOff", "not found"))),
          Map.entry(
              "pull secret",
              said(
                  waiting("ImagePullBackOff", "denied"),
                  event(
                      "FailedToRetrieveImagePullSecret",
                      "Unable to retrieve some image pull secrets (regcred); attempting to pull the image may not succeed."))),
          Map.entry(
              "quota",
              refused(FORBIDDEN + "exceeded quota: pods, requested: pods=1, used: pods=1")),
          Map.entry("LimitRange", refused(FORBIDDEN + "maximum memory usage per Container is 1Gi")),
          Map.entry("webhook", refused("admission webhook \"v.io\" denied the request: no")),
          Map.entry(
              "webhook does not answer",
              refused(
                  "Internal error occurred: failed calling webhook \"v.io\": failed to call webhook: Post \"https://v\": connection refused")),
          Map.entry(
              "policy",
              refused(FORBIDDEN + "violates PodSecurity \"restricted:latest\": runAsNonRoot")),
          Map.entry(
              "mount",
              said(
                  waiting("ContainerCreating", null),
                  event(
                      "FailedMount",
                      "MountVolume.SetUp failed for volume \"creds\" : secret \"creds\" not found"))),
          Map.entry(
              "attach",
              said(
                  waiting("ContainerCreating", null),
                  event("FailedAttachVolume", "Multi-Attach error"))),
          Map.entry("out of memory", said(crashed("OOMKilled", null))),
          Map.entry("crash", said(crashed("Error", "reading\nFatal error: bad directive\n"))),
          Map.entry("probe", said(running(), event("Unhealthy", "Readiness probe failed: EOF"))),
          Map.entry(
              "cordoned node",
              said(unschedulable("0/3 nodes are available: 3 node(s) were unschedulable."))),
          Map.entry(
              "taint",
              said(
                  unschedulable(
                      "0/3 nodes are available: 3 node(s) had untolerated taint {a: b}."))),
          Map.entry(
              "affinity",
              said(
                  unschedulable(
                      "0/3 nodes are available: 3 node(s) didn't match pod anti-affinity rules."))),
          Map.entry(
              "volume bound to a node",
              said(
                  unschedulable(
                      "0/3 nodes are available: 3 node(s) had volume node affinity conflict."))),
          Map.entry("no StorageClass", said(unplaced(), Optional.of(unbound()))),
          Map.entry("volume full", Reasons.ROLE_IMPAIRED),
          Map.entry("writes refused", Reasons.ROLE_IMPAIRED),
          Map.entry(
              "budget that never allows it", source(BudgetedEviction.class, "EvictionRefused")),
          Map.entry(
              "budget that does not allow it now",
              source(BudgetedEviction.class, "EvictionRefused")),
          Map.entry("node lost", said(deleted())),
          Map.entry("agent dead", "OrderDegraded"),
          Map.entry("agent without a role", withoutRole()),
          Map.entry("Job suspended", job(true)),
          Map.entry("sidecar left", job(false, finishedBesideProxy())),
          Map.entry(
              "StatefulSet deleted",
              source(
                      "../watcher/src/main/java/io/middleware/engine/watcher/health/DesiredPods.java",
                      "StatefulSet %s missing: an Operation Reapply creates it again")
                  .formatted("db")),
          Map.entry(
              "labels changed",
              Rollout.occupied(SampleObjects.set(1, 1), List.of(new PodState(running())))
                  .getFirst()));

  static Stream<Arguments> rows() throws IOException {
    return Files.readAllLines(PAGE).stream()
        .map(ROW::matcher)
        .filter(row -> row.matches() && !row.group(1).startsWith("---"))
        .map(row -> Arguments.of(row.group(1), row.group(2)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void shouldSayWhatThePageShows(String cause, String shown) {
    var pattern = Stream.of(shown.split("…", -1)).map(Pattern::quote).collect(joining(".*"));
    assertThat(SAID).containsKey(cause);
    assertThat(SAID.get(cause)).matches("(?s).*" + pattern + ".*");
    assertThat(SAID.get(cause)).as("in one line").doesNotContain("\n");
  }

  @Test
  void shouldShowEachCause() throws IOException {
    assertThat(rows().map(row -> row.get()[0])).containsExactlyInAnyOrder(SAID.keySet().toArray());
  }

  @Test
  void shouldNameThePodAndTheCauseWherePeopleLookFirst() {
    assertThat(TOLD_FIRST)
        .allSatisfy(
            (cause, words) -> {
              var message = "1/3 pods ready: %s %s".formatted(POD, SAID.get(cause));
              assertThat(message.substring(0, Math.min(LOOKED_AT, message.length())))
                  .contains(words);
            });
  }

  private static String said(Pod pod, Event... events) {
    var lacksImage = pod.getStatus().getContainerStatuses().toString().contains("ImagePull");
    return said(pod, EventTexts.ofPod(List.of(events), lacksImage));
  }

  private static String said(Pod pod, Optional<String> event) {
    return new PodState(pod, event).trouble();
  }

  private static String refused(String why) {
    var note = "create Pod %1$s in StatefulSet %2$s failed error: %3$s".formatted(POD, SET, why);
    return EventTexts.refusedCreation(List.of(event("FailedCreate", note)), Optional.of(POD))
        .orElseThrow();
  }

  private static String unbound() {
    return EventTexts.unbound(
            "data-db-0", List.of(event("ProvisioningFailed", "storageclass \"x\" not found")))
        .orElseThrow();
  }

  private static Event event(String reason, String note) {
    return new EventBuilder().withType("Warning").withReason(reason).withNote(note).build();
  }

  private static Pod waiting(String reason, String message) {
    return with(
        new ContainerStatusBuilder().withNewState().withNewWaiting(message, reason).endState());
  }

  private static Pod crashed(String reason, String message) {
    return with(
        new ContainerStatusBuilder()
            .withNewState()
            .withNewWaiting("back-off 10s", "CrashLoopBackOff")
            .endState()
            .withNewLastState()
            .withNewTerminated()
            .withExitCode(1)
            .withReason(reason)
            .withMessage(message)
            .endTerminated()
            .endLastState());
  }

  private static Pod with(ContainerStatusBuilder container) {
    return pod()
        .editStatus()
        .addToContainerStatuses(container.withName("redis").withImage("r:7").build())
        .endStatus()
        .build();
  }

  private static Pod running() {
    return pod().build();
  }

  private static Pod unschedulable(String message) {
    return pod()
        .editStatus()
        .addNewCondition()
        .withType("PodScheduled")
        .withStatus("False")
        .withReason("Unschedulable")
        .withMessage(message)
        .endCondition()
        .endStatus()
        .build();
  }

  private static Pod unplaced() {
    return pod()
        .withNewSpec()
        .addNewVolume()
        .withNewPersistentVolumeClaim("data-db-0", false)
        .endVolume()
        .endSpec()
        .build();
  }

  private static Pod deleted() {
    return pod()
        .editMetadata()
        .withDeletionTimestamp("2026-01-01T00:00:00Z")
        .endMetadata()
        .withNewSpec()
        .withNodeName("w1")
        .endSpec()
        .build();
  }

  private static PodBuilder pod() {
    return new PodBuilder()
        .withNewMetadata()
        .withName("db-0")
        .endMetadata()
        .withNewStatus()
        .withPhase("Running")
        .endStatus();
  }

  private static String withoutRole() {
    var view = new FakeView();
    view.sets.add(SampleObjects.set(1, 1));
    view.pods.add(SampleObjects.ready("db-0", "new"));
    return new ExistingPods(view, new AppKey("shop", "cache"), "db", "g").trouble("db-0");
  }

  private static Pod finishedBesideProxy() {
    return pod()
        .editStatus()
        .addNewContainerStatus()
        .withName("check")
        .withNewState()
        .withNewTerminated()
        .withExitCode(0)
        .endTerminated()
        .endState()
        .endContainerStatus()
        .addNewContainerStatus()
        .withName("proxy")
        .withState(new ContainerStateBuilder().withNewRunning().endRunning().build())
        .endContainerStatus()
        .endStatus()
        .build();
  }

  private static String job(boolean suspended, Pod... pods) {
    var job =
        new JobBuilder()
            .withNewMetadata()
            .withName("check")
            .endMetadata()
            .withNewSpec()
            .withSuspend(suspended)
            .endSpec()
            .build();
    return new JobTrouble(
            new JobState(job), Stream.of(pods).map(PodState::new).toList(), Optional::empty)
        .text();
  }

  /** A text that this class writes. */
  private static String source(Class<?> writer, String text) {
    return source("src/main/java/" + writer.getName().replace('.', '/') + ".java", text);
  }

  private static String source(String file, String text) {
    try {
      assertThat(Files.readString(Path.of(file))).contains('"' + text + '"');
      return text;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
