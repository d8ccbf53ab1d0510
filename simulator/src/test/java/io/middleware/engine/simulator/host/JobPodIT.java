package io.middleware.engine.simulator.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pod of a Job whose command is a real process. */
class JobPodIT {
  private static final Pod POD =
      Serialization.unmarshal(
          """
          apiVersion: v1
          kind: Pod
          metadata:
            name: load-0
            namespace: shop
            uid: uid-0
            resourceVersion: "1"
            labels: {team: red, batch.kubernetes.io/job-name: load}
            annotations: {local.middleware.io/process: command, target: 127.88.1.2}
          spec:
            containers:
            - name: main
              image: registry.example/team/loader:2.0
              terminationMessagePath: /dev/termination-log
              terminationMessagePolicy: File
              env:
              - {name: TARGET, valueFrom: {fieldRef: {fieldPath: "metadata.annotations['target']"}}}
              - {name: TEAM, valueFrom: {fieldRef: {fieldPath: "metadata.labels['team']"}}}
              - {name: PASSWORD, valueFrom: {secretKeyRef: {name: login, key: password}}}
              - {name: URL, value: redis://$(TARGET)}
              volumeMounts: [{name: scripts, mountPath: /scripts}]
            - name: helper
            volumes: [{name: scripts, configMap: {name: scripts}}]
          status:
            phase: Running
            podIP: 127.88.1.3
            containerStatuses:
            - {name: main, ready: false, restartCount: 0, image: any, imageID: "", state: {running: {}}}
            - {name: helper, ready: false, restartCount: 0, image: any, imageID: "", state: {running: {}}}
          """,
          Pod.class);

  @TempDir Path folder;
  private FakeCluster cluster;
  private FakeOthers others;
  private HostedPod hosted;
  private Thread thread;
  private Pod observed;
  private boolean roots = true;

  @BeforeEach
  void start() throws IOException {
    others = new FakeOthers();
    Files.createDirectory(folder.resolve("loader-2.0"));
    cluster = new FakeCluster();
    cluster.putSecret("login", Map.of("password", "s3cret"));
    cluster.putConfigMap("scripts", Map.of("run.sh", "echo from a file"));
  }

  @AfterEach
  void stop() throws InterruptedException {
    if (thread != null) {
      hosted.observe(List.of());
      thread.join(Duration.ofSeconds(10));
    }
    others.close();
    cluster.close();
  }

  @Test
  void shouldRunTheProgramOfTheImage() throws IOException {
    var program = folder.resolve("loader-2.0/loader");
    Files.writeString(program, "#!/bin/sh\necho loader 2.0");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));

    run("loader");

    assertThat(end().getExitCode()).isZero();
    assertThat(log()).isEqualTo("loader 2.0\n");
  }

  @Test
  void shouldRunTheCommandWithItsVariablesAndReportItsEnd() throws IOException {
    // When
    run("sh", "-c", "echo $URL $TEAM $PASSWORD $HOSTNAME; echo 7 keys >/dev/termination-log");
    // Then
    assertThat(end().getExitCode()).isZero();
    assertThat(end().getReason()).isEqualTo("Completed");
    assertThat(end().getMessage()).isEqualTo("7 keys\n");
    assertThat(phase()).isEqualTo("Succeeded");
    assertThat(log()).isEqualTo("redis://127.88.1.2 red s3cret load-0\n");
    assertThat(reported().getStatus().getContainerStatuses())
        .extracting(one -> one.getState().getTerminated().getExitCode())
        .containsExactly(0, 0);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldReadTheFilesOfItsVolumes(boolean withRoots) throws IOException {
    // Given
    roots = withRoots;
    // When
    run("sh", "/scripts/run.sh");
    // Then
    assertThat(end().getExitCode()).isZero();
    assertThat(log()).isEqualTo("from a file\n");
  }

  @Test
  void shouldReportTheExitCodeOfACommandThatFails() {
    // When
    run("sh", "-c", "echo no route; exit 3");
    // Then
    assertThat(end().getExitCode()).isEqualTo(3);
    assertThat(end().getReason()).isEqualTo("Error");
    assertThat(end().getMessage()).isEmpty();
    assertThat(phase()).isEqualTo("Failed");
  }

  @Test
  void shouldShowTheEndOfItsLogWhereTheContainerWantsThat() {
    // Given
    var pod =
        new PodBuilder(POD)
            .editSpec()
            .editFirstContainer()
            .withTerminationMessagePolicy("FallbackToLogsOnError")
            .endContainer()
            .endSpec()
            .build();
    // When
    run(pod, "sh", "-c", "seq 1 1000; exit 1");
    // Then
    assertThat(end().getMessage().lines()).hasSize(80).first().isEqualTo("921");
  }

  @Test
  void shouldWaitForTheProgramsOfItsImageInsteadOfRunningOthers() throws IOException {
    // Given
    Files.delete(folder.resolve("loader-2.0"));
    // When
    run("sh", "-c", "exit 0");
    // Then
    await().until(() -> Files.exists(folder.resolve("run/uid-0/.hosts")));
    assertThat(phase()).isEqualTo("Running");
    Files.createDirectory(folder.resolve("loader-2.0"));
    assertThat(end().getExitCode()).isZero();
  }

  @Test
  void shouldFailWhenThereIsNoSuchProgramOrNoCommand() {
    // When
    run("no-such-program");
    // Then
    assertThat(end().getExitCode()).isEqualTo(127);
    // and
    run();
    assertThat(end().getReason()).isEqualTo("StartError");
    assertThat(phase()).isEqualTo("Failed");
  }

  @Test
  void shouldEndWhatTheCommandLeavesRunning() throws IOException {
    // When
    run("sh", "-c", "sleep 100 & echo $!");
    // Then
    assertThat(end().getExitCode()).isZero();
    awaitNoProcess(Long.parseLong(log().strip()));
  }

  @Test
  void shouldAskTheCommandToEndWhenThePodIsDeleted() {
    // Given
    run("sh", "-c", "trap 'exit 9' TERM; echo begun; while :; do sleep 0.1; done");
    awaitLog("begun");
    // When
    delete(30);
    // Then
    assertThat(end().getExitCode()).isEqualTo(9);
    assertThat(phase()).isEqualTo("Failed");
    awaitRemoved();
  }

  @Test
  void shouldKillACommandThatDoesNotEnd() throws IOException {
    // Given
    run("sh", "-c", "trap '' TERM; echo $$$$; while :; do sleep 0.1; done");
    awaitLog("\n");
    // When
    delete(1);
    // Then
    assertThat(end().getExitCode()).isEqualTo(ContainerProcess.KILLED);
    awaitRemoved();
    awaitNoProcess(Long.parseLong(log().strip()));
  }

  @Test
  void shouldFindTheCommandAgainAfterARestartOfTheSimulator() throws Exception {
    // Given
    run("sh", "-c", "echo once; while [ ! -e over ]; do sleep 0.1; done; exit 5");
    awaitLog("once");
    thread.interrupt();
    thread.join();
    // When
    host();
    await("ready").until(() -> PodApi.isReady(reported()));
    Files.createFile(folder.resolve("run/uid-0/over"));
    // Then
    assertThat(end().getExitCode()).isEqualTo(5);
    assertThat(log()).isEqualTo("once\n");
  }

  @Test
  void shouldFindAnEndOfWhichNobodyKnowsTheCode() throws Exception {
    // Given
    run("sh", "-c", "echo begun; sleep 100");
    awaitLog("begun");
    thread.interrupt();
    thread.join();
    var shell =
        new PidFile(folder.resolve("run/uid-0/.containers/main/process/pid"))
            .process()
            .orElseThrow();
    var command = shell.descendants().toList();
    shell.destroyForcibly();
    command.forEach(ProcessHandle::destroyForcibly);
    PidFile.endsWithin(Duration.ofSeconds(5), shell);
    // When
    host();
    // Then
    assertThat(end().getExitCode()).isEqualTo(ContainerProcess.KILLED);
  }

  private void run(String... command) {
    run(POD, command);
  }

  private void run(Pod pod, String... command) {
    if (thread != null) {
      hosted.observe(List.of());
      await().until(() -> !thread.isAlive());
      cluster.forget("load-0");
    }
    observed =
        new PodBuilder(pod)
            .editSpec()
            .editFirstContainer()
            .withCommand(command)
            .endContainer()
            .endSpec()
            .build();
    host();
  }

  private void host() {
    var images = new ImagePrograms(Map.of("team/loader:2.0", folder.resolve("loader-2.0")));
    var settings = new HostSettings(folder, folder, images, roots);
    try {
      hosted = new HostedPod("job/uid-0", observed, others.context(cluster, settings));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    thread = Thread.startVirtualThread(hosted);
  }

  private void delete(long grace) {
    observed =
        new PodBuilder(reported())
            .editMetadata()
            .withDeletionTimestamp("now")
            .withDeletionGracePeriodSeconds(grace)
            .endMetadata()
            .build();
    hosted.observe(List.of(observed));
  }

  /** Hands the pod back, as the watch does. */
  private Pod reported() {
    var pod = cluster.pod("load-0").orElse(observed);
    hosted.observe(List.of(pod));
    return pod;
  }

  private ContainerStateTerminated end() {
    await("end").until(() -> List.of("Succeeded", "Failed").contains(phase()));
    return reported().getStatus().getContainerStatuses().getFirst().getState().getTerminated();
  }

  private String phase() {
    return cluster.pod("load-0").orElse(observed).getStatus().getPhase();
  }

  private void awaitRemoved() {
    await("removed").until(() -> cluster.isDeleted("load-0"));
    assertThat(folder.resolve("run/uid-0")).doesNotExist();
  }

  private void awaitLog(String text) {
    await("log").ignoreExceptions().until(() -> log().contains(text));
  }

  private static void awaitNoProcess(long pid) {
    await("end of " + pid).until(() -> ProcessHandle.of(pid).filter(JobPodIT::runs).isEmpty());
  }

  /** One that has ended, but that its parent has not collected, has no command line. */
  private static boolean runs(ProcessHandle process) {
    try {
      return !Files.readString(Path.of("/proc/" + process.pid() + "/cmdline")).isEmpty();
    } catch (IOException gone) {
      return false;
    }
  }

  private String log() throws IOException {
    return Files.readString(folder.resolve("log/shop_load-0.log"));
  }
}
