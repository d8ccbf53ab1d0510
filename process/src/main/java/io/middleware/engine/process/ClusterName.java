package io.middleware.engine.process;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.grpc.StatusRuntimeException;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.enums.v1.WorkflowIdConflictPolicy;
import io.temporal.api.enums.v1.WorkflowIdReusePolicy;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowException;
import io.temporal.client.WorkflowExecutionAlreadyStarted;
import io.temporal.client.WorkflowExecutionDescription;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowOptions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The name of this cluster in the Temporal namespace, which belongs to one cluster only. An open
 * workflow without a task says which: its id is the name's, so Temporal lets one cluster start it,
 * and its memo holds the uid of that cluster's namespace kube-system. Nobody carries it out, so it
 * stays open until somebody terminates it, which frees the name. Where Temporal's database is lost,
 * that workflow is lost as well; so a running process takes the name again and again.
 */
public final class ClusterName {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterName.class);
  private static final String OWNER = "kubeSystemUid";
  private static final Duration PAUSE = Duration.ofSeconds(2);
  private static final Duration KEEP = Duration.ofSeconds(30);

  private final WorkflowClient client;
  private final String cluster;
  private final Supplier<String> uid;
  private volatile boolean own;

  /**
   * @param cluster the name in the settings; may be empty
   * @param uid of this cluster's namespace kube-system; may fail with a {@link
   *     KubernetesClientException}
   */
  public ClusterName(WorkflowClient client, String cluster, Supplier<String> uid) {
    this.client = client;
    this.cluster = cluster;
    this.uid = uid;
  }

  /** The name in the settings; may be empty. */
  public String value() {
    return cluster;
  }

  /** Whether the name is known to belong to this cluster. */
  public boolean isOwn() {
    return own;
  }

  /** The readiness check {@code cluster name}. */
  public HealthCheck check() {
    return HealthCheck.of(
        "cluster name",
        () ->
            own
                ? Optional.empty()
                : Optional.of("not yet known whether another cluster has " + name()));
  }

  /**
   * Takes the name, unless this cluster has it; waits until Temporal and the API server answer.
   *
   * @return why this process may do nothing; empty when the name belongs to this cluster
   */
  public Optional<String> take() throws InterruptedException {
    while (true) {
      try {
        var refusal = refusal(uid.get());
        own = refusal.isEmpty();
        return refusal;
      } catch (KubernetesClientException | WorkflowException | StatusRuntimeException e) {
        LOG.atWarn()
            .addKeyValue("reason", TemporalConnection.reason(e))
            .log("cannot find out whether another cluster has {}; retrying", name());
        Thread.sleep(PAUSE);
      }
    }
  }

  /**
   * Takes the name again from time to time, in a thread of its own.
   *
   * @param refused told why this process may do nothing any more; then the thread ends
   */
  public void keep(Consumer<String> refused) {
    keep(KEEP, refused);
  }

  void keep(Duration pause, Consumer<String> refused) {
    Thread.ofVirtual().name("keep-cluster-name").start(() -> takeUntilRefused(pause, refused));
  }

  private void takeUntilRefused(Duration pause, Consumer<String> refused) {
    try {
      var refusal = Optional.<String>empty();
      while (refusal.isEmpty()) {
        Thread.sleep(pause);
        refusal = takeAgain();
      }
      own = false;
      refused.accept(refusal.get());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** While Temporal or the API server does not answer, the name is this cluster's as before. */
  private Optional<String> takeAgain() {
    try {
      return refusal(uid.get());
    } catch (KubernetesClientException | WorkflowException | StatusRuntimeException e) {
      LOG.atDebug()
          .addKeyValue("reason", TemporalConnection.reason(e))
          .log("cannot find out whether another cluster has {}", name());
      return Optional.empty();
    }
  }

  private Optional<String> refusal(String ownUid) {
    try {
      client
          .newUntypedWorkflowStub("ClusterName", options(ownUid))
          .start("kube-system has uid " + ownUid);
      LOG.atInfo().addKeyValue("uid", ownUid).log("this cluster takes {}", name());
      return Optional.empty();
    } catch (WorkflowExecutionAlreadyStarted e) {
      return refusal(client.newUntypedWorkflowStub(id()).describe(), ownUid);
    }
  }

  private Optional<String> refusal(WorkflowExecutionDescription open, String ownUid) {
    if (open.getStatus() != WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING) {
      throw new WorkflowNotFoundException(open.getExecution(), "ClusterName", null);
    }
    var owner = String.valueOf(open.getMemo(OWNER, String.class));
    return owner.equals(ownUid)
        ? Optional.empty()
        : Optional.of(
            "%s in Temporal's namespace %s belongs to another cluster since %s: its namespace kube-system has uid %s, this cluster's has %s. Set `cluster` to a name that no other cluster has. If that cluster is gone for good, free its name: temporal workflow terminate -w %s"
                .formatted(
                    name(),
                    client.getOptions().getNamespace(),
                    open.getStartTime(),
                    owner,
                    ownUid,
                    id()));
  }

  private WorkflowOptions options(String ownUid) {
    return WorkflowOptions.newBuilder()
        .setWorkflowId(id())
        .setTaskQueue(id())
        .setWorkflowIdConflictPolicy(WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_FAIL)
        .setWorkflowIdReusePolicy(WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE)
        .setMemo(Map.of(OWNER, ownUid))
        .setStaticSummary("keeps %s for one cluster; stays open".formatted(name()))
        .build();
  }

  private String id() {
    return cluster.isEmpty() ? "cluster" : cluster + "/cluster";
  }

  private String name() {
    return cluster.isEmpty() ? "the empty cluster name" : "the cluster name " + cluster;
  }
}
