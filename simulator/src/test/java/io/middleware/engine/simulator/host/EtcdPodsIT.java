package io.middleware.engine.simulator.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.driver.ActionRequest;
import io.middleware.engine.agent.server.AgentAnswers;
import io.middleware.engine.proto.agent.v1.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A StatefulSet of real etcd members, each with an agent by commands, as a Plugin writes it. */
class EtcdPodsIT {
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: locks-%1$d
        namespace: shop
        uid: uid-%1$d
        resourceVersion: "1"
        labels: {app: locks}
        annotations: {local.middleware.io/process: command}
      spec:
        hostname: locks-%1$d
        subdomain: locks
        initContainers:
        - name: agent
          image: middleware-engine/agent:2.0.0
          args: [install, /agent]
        - name: prepare
          image: etcd:any
          command: [sh, -c, 'echo prepared by $(hostname) >>/var/lib/etcd/prepared']
          volumeMounts: [{name: data, mountPath: /var/lib/etcd}]
        containers:
        - name: etcd
          image: etcd:any
          command: [sh, /etc/etcd/start]
          env:
          - {name: POD_NAME, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
          - {name: ETCD_LISTEN_CLIENT_URLS, value: "http://0.0.0.0:2379"}
          - {name: ETCD_LISTEN_PEER_URLS, value: "http://0.0.0.0:2380"}
          - {name: TOKEN, valueFrom: {secretKeyRef: {name: locks, key: token}}}
          readinessProbe: {httpGet: {path: /livez, port: client}, periodSeconds: 1, timeoutSeconds: 5}
          lifecycle: {preStop: {exec: {command: [sh, -c, 'echo "$POD_NAME" >/var/lib/etcd/stopped']}}}
          ports: [{name: client, containerPort: 2379}]
          volumeMounts: [{name: data, mountPath: /var/lib/etcd}, {name: scripts, mountPath: /etc/etcd}]
        - name: agent
          image: etcd:any
          command: [/agent/agent]
          env:
          - {name: AGENT_MODE, value: commands}
          - {name: AGENT_ACTIONS_FOLDER, value: /commands}
          - {name: AGENT_ORDER, value: "follower,leader"}
          - {name: AGENT_SERVICE, value: locks}
          - {name: ROLE_TIMEOUT, value: 5s}
          - {name: ROLE_INTERVAL, value: 200ms}
          - {name: POD_NAME, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
          - {name: ETCDCTL_ENDPOINTS, value: "http://127.0.0.1:2379"}
          volumeMounts: [{name: commands, mountPath: /commands}, {name: data, mountPath: /data, subPath: member}]
        - {name: exporter, image: other}
        volumes:
        - {name: data, persistentVolumeClaim: {claimName: data-locks-%1$d}}
        - {name: scripts, configMap: {name: scripts}}
        - {name: commands, configMap: {name: commands}}
      status:
        phase: Running
        podIP: %2$s
        containerStatuses:
        - {name: etcd, ready: false, restartCount: 0, image: any, imageID: "", state: {running: {}}}
        - {name: agent, ready: false, restartCount: 0, image: any, imageID: "", state: {running: {}}}
        - {name: exporter, ready: false, restartCount: 0, image: any, imageID: "", state: {running: {}}}
      """;
  private static final String SERVICE =
      """
      apiVersion: v1
      kind: Service
      metadata: {name: %s, namespace: shop}
      spec: {selector: {app: locks}, publishNotReadyAddresses: %s}
      """;
  private static final String START =
      """
      set -eu
      peers=
      for n in 0 1 2; do peers=$peers,locks-$n=http://locks-$n.locks:2380; done
      exec etcd --name "$POD_NAME" --data-dir /var/lib/etcd/member --log-level warn \
        --initial-cluster "${peers#,}" --initial-cluster-token "$TOKEN" \
        --initial-advertise-peer-urls "http://$POD_NAME.locks.shop.svc:2380" \
        --advertise-client-urls "http://$POD_NAME.locks.shop.svc:2379"
      """;
  private static final Map<String, String> COMMANDS =
      Map.of(
          "role.http",
          """
          POST http://127.0.0.1:2379/v3/maintenance/status
          body: {}
          body.leader == body.header.member_id ? 'leader' : 'follower'
          """,
          "put",
          "#!/bin/sh -e\netcdctl put \"$PARAM_KEY\" \"$PARAM_VALUE\"",
          "get",
          "#!/bin/sh -e\nETCDCTL_ENDPOINTS=http://locks-client:2379 etcdctl get --print-value-only \"$PARAM_KEY\"",
          "files",
          "#!/bin/sh\nhostname\nls /data");

  @TempDir Path folder;
  private FakeCluster cluster;
  private PodHost host;
  private final Map<String, Pod> pods = new HashMap<>();

  @BeforeEach
  void start() throws IOException {
    assumeTrue(LocalRoots.areAllowed(), "this machine allows no namespaces");
    cluster = new FakeCluster();
    cluster.putServices(service("locks", true), service("locks-client", false));
    cluster.putConfigMap("scripts", Map.of("start", START));
    cluster.putConfigMap("commands", COMMANDS);
    cluster.putSecret("locks", Map.of("token", "one"));
    for (var number : IntStream.range(0, 3).toArray()) {
      cluster.putClaim("data-locks-" + number);
      var ip = LocalRedis.address(7, number + 1);
      var pod = Serialization.unmarshal(POD.formatted(number, ip), Pod.class);
      pods.put(pod.getMetadata().getName(), pod);
    }
    startHost();
  }

  @AfterEach
  void stop() {
    if (host != null) {
      pods.keySet().forEach(name -> delete(name, 0));
      await()
          .atMost(PATIENCE)
          .until(() -> Stream.of(0, 1, 2).allMatch(n -> isRemoved("locks-" + n)));
      host.close();
      cluster.close();
    }
  }

  @Test
  void shouldServeAsTheirPluginSays() throws Exception {
    // Then all are ready, one of them as the leader
    awaitReady();
    var leader = leader();
    assertThat(order(leader)).last().isEqualTo(leader);
    assertThat(folder.resolve("volumes/data-locks-0/prepared")).hasContent("prepared by locks-0");

    // and commands run in the container of the agent, which knows names and has its volumes
    assertThat(run(leader, "put", Map.of("key", "a", "value", "1"))).isEqualTo("OK\n");
    for (var pod : pods.keySet()) { // a Service has the addresses of ready pods a moment later
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(run(pod, "get", Map.of("key", "a"))).isEqualTo("1\n"));
    }
    assertThat(run("locks-1", "files", Map.of())).isEqualTo("locks-1\nmember\n");

    // When a command is edited
    var edited = new HashMap<>(COMMANDS);
    edited.put("put", "#!/bin/sh\necho edited");
    cluster.putConfigMap("commands", edited);
    // Then the next call runs it
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(run("locks-1", "put", Map.of())).isEqualTo("edited\n"));
  }

  @Test
  void shouldOutliveAKillAndTheSimulatorAndEndWithThePod() throws Exception {
    // Given
    awaitReady();
    // When a process is killed
    first("locks-0").destroyForcibly();
    // Then it starts again, with its data
    await().atMost(PATIENCE).until(() -> restarts("locks-0") == 1);
    awaitReady();

    // When the simulator starts again
    var pid = first("locks-2").pid();
    host.close();
    startHost();
    // Then it finds the same processes
    awaitReady();
    assertThat(first("locks-2").pid()).isEqualTo(pid);
    assertThat(run("locks-2", "files", Map.of())).isEqualTo("locks-2\nmember\n");

    // When a pod is deleted
    delete("locks-2", 30);
    // Then its hook has run, it is gone, and the others go on
    await().atMost(PATIENCE).until(() -> isRemoved("locks-2"));
    assertThat(folder.resolve("volumes/data-locks-2/stopped")).hasContent("locks-2");
    assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
    assertThat(folder.resolve("run/uid-2")).doesNotExist();
    awaitReady();
  }

  @Test
  void shouldNotBeReadyWithoutARole() throws Exception {
    // Given
    awaitReady();
    // When
    var edited = new HashMap<>(COMMANDS);
    edited.remove("role.http");
    edited.put("role", "#!/bin/sh\nexit 1");
    cluster.putConfigMap("commands", edited);
    // Then
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              observe();
              return pods().noneMatch(PodApi::isReady);
            });
    // and a Service without pods that are ready has no address
    await()
        .atMost(PATIENCE)
        .until(
            () -> !Files.readString(folder.resolve("run/uid-0/.hosts")).contains("locks-client"));
  }

  private void startHost() {
    var images = new ImagePrograms(Map.of("etcd:any", LocalEtcd.folder()));
    host =
        new PodHost(
            cluster.client(),
            new HostSettings(LocalEtcd.folder().resolve("etcd"), folder, images, true));
    observe();
  }

  private static Service service(String name, boolean notReady) {
    return Serialization.unmarshal(SERVICE.formatted(name, notReady), Service.class);
  }

  /** Hands the pods back, as the watch does. */
  private void observe() {
    host.changed("locks", pods().toList());
  }

  private Stream<Pod> pods() {
    return pods.entrySet().stream()
        .map(pod -> cluster.pod(pod.getKey()).filter(this::isOfNow).orElse(pod.getValue()));
  }

  private boolean isOfNow(Pod reported) {
    var pod = pods.get(reported.getMetadata().getName());
    return !pod.isMarkedForDeletion();
  }

  private void awaitReady() {
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              observe();
              return pods().allMatch(PodApi::isReady) && leader() != null;
            });
  }

  private String leader() {
    return pods.keySet().stream()
        .filter(pod -> role(pod).equals(Optional.of("primary")))
        .findFirst()
        .orElse(null);
  }

  private Optional<String> role(String pod) {
    try {
      return Optional.of(answers(pod).role());
    } catch (StatusRuntimeException e) {
      return Optional.empty();
    }
  }

  private List<String> order(String pod) {
    var names = pods.keySet().stream().sorted().toList();
    return answers(pod).podOrder(Scenario.SCENARIO_UPGRADE, names).names();
  }

  private AgentAnswers answers(String pod) {
    return host.answers(pods.get(pod).getMetadata().getUid()).orElseThrow();
  }

  private String run(String pod, String action, Map<String, String> parameters)
      throws InterruptedException {
    var request = new ActionRequest(action, parameters, Duration.ZERO, PATIENCE);
    return answers(pod).driver().runAction(request, (text, percent) -> {}).output();
  }

  private ProcessHandle first(String pod) {
    var uid = pods.get(pod).getMetadata().getUid();
    var process = folder.resolve("run/" + uid + "/.containers/etcd/process");
    return new ContainerProcess(process, folder).first().orElseThrow();
  }

  private int restarts(String pod) {
    observe();
    return cluster
        .pod(pod)
        .flatMap(one -> PodApi.status(one, "etcd"))
        .map(ContainerStatus::getRestartCount)
        .orElse(0);
  }

  private void delete(String name, long grace) {
    pods.computeIfPresent(
        name,
        (key, pod) ->
            new PodBuilder(pod)
                .editMetadata()
                .withDeletionTimestamp("now")
                .withDeletionGracePeriodSeconds(grace)
                .endMetadata()
                .build());
    observe();
  }

  private boolean isRemoved(String name) {
    if (cluster.isDeleted(name)) {
      pods.remove(name);
      observe();
    }
    return !pods.containsKey(name);
  }
}
