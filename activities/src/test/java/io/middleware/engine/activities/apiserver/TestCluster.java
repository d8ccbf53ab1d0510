package io.middleware.engine.activities.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.ControllerRevisionBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.middleware.engine.activities.kubernetes.ClusterView;
import io.middleware.engine.activities.sensitive.SensitiveMarks;
import io.middleware.engine.activities.sensitive.SensitiveParameters;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.Plugin;
import io.middleware.engine.workflows.port.ChangeRef;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * A namespace on the API server, of which nobody else knows. It is the engine's own as well: the
 * Plugin is in it.
 */
public final class TestCluster {
  /** Generous, for a machine that is busy. */
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final KubernetesClient client;
  private final ClusterView view;
  private final String namespace;

  TestCluster(KubernetesClient client, ClusterView view, String namespace) {
    this.client = client;
    this.view = view;
    this.namespace = namespace;
  }

  /** With all rights. */
  public KubernetesClient client() {
    return client;
  }

  /** Of all namespaces; a few milliseconds behind. */
  public ClusterView view() {
    return view;
  }

  public String namespace() {
    return namespace;
  }

  /** Creates the App {@code cache}: the component {@code db} with the group {@code g}. */
  public App createApp() {
    return createApp(UnaryOperator.identity());
  }

  /**
   * @param edit of the text in {@code apiserver/app.yaml}
   */
  public App createApp(UnaryOperator<String> edit) {
    return create(read("app.yaml", App.class, edit));
  }

  /** Applies the same App, edited, as its user. */
  public App editApp(UnaryOperator<String> edit) {
    var app = read("app.yaml", App.class, edit);
    app.getMetadata().setNamespace(namespace);
    return client.resource(app).fieldManager("user").forceConflicts().serverSideApply();
  }

  /**
   * Keeps a spec as that of the App's generation.
   *
   * @param owner uid of an App of this name
   */
  public void keepSpec(App app, String owner, Object spec) {
    var metadata = app.getMetadata();
    create(
        new ControllerRevisionBuilder()
            .withNewMetadata()
            .withName(metadata.getName() + "-" + metadata.getGeneration())
            .addNewOwnerReference()
            .withApiVersion(app.getApiVersion())
            .withKind(app.getKind())
            .withName(metadata.getName())
            .withUid(owner)
            .withController(true)
            .endOwnerReference()
            .endMetadata()
            .withRevision(metadata.getGeneration())
            .withData(spec)
            .build());
  }

  /** Keeps the App's spec without the value of this parameter, and returns what is kept. */
  public Map<String, Object> keepSpecWithout(App app, String parameter) {
    var uid = app.getMetadata().getUid();
    var spec = client.getKubernetesSerialization().convertValue(app.getSpec(), Map.class);
    var marked = new SensitiveMarks(uid).put(spec, new SensitiveParameters(Set.of(parameter)));
    keepSpec(app, uid, marked);
    return marked;
  }

  /** Changes the App's status as somebody who is not the engine. */
  public void patchStatus(String status) {
    var bare = new App();
    bare.getMetadata().setNamespace(namespace);
    bare.getMetadata().setName("cache");
    client
        .resource(bare)
        .subresource("status")
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\": %s}".formatted(status));
  }

  /** The App, whose finalizer holds it. */
  public App deleteByForce(App app) {
    named(App.class, app.getMetadata().getName())
        .edit(
            it -> {
              it.getMetadata().setAnnotations(Map.of(Labels.FORCE_DELETE, "true"));
              it.getMetadata().setFinalizers(List.of(Labels.TEARDOWN));
              return it;
            });
    client.resource(app).delete();
    return now(app);
  }

  /** From now on nobody can write the status of an App of this namespace. */
  public void refuseStatusWrites() {
    refuse("UPDATE", "middleware.io", "apps/status");
    await().until(() -> isRefused(() -> patchStatus("{\"phase\": \"Deleting\"}")));
  }

  /** From now on nobody can delete this Job, or another one of this namespace. */
  public void refuseDeletion(Job job) {
    refuse("DELETE", "batch", "jobs");
    await().until(() -> isRefused(() -> client.resource(job).dryRun().delete()));
  }

  private void refuse(String operation, String group, String resource) {
    var policy =
        """
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingAdmissionPolicy
        metadata: {name: "%1$s"}
        spec:
          failurePolicy: Fail
          matchConstraints:
            resourceRules:
            - apiGroups: [%3$s]
              apiVersions: ["*"]
              operations: [%2$s]
              resources: [%4$s]
          matchConditions: [{name: namespace, expression: "request.namespace == '%1$s'"}]
          validations: [{expression: "false", message: refused by a test}]
        ---
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingAdmissionPolicyBinding
        metadata: {name: "%1$s"}
        spec: {policyName: "%1$s", validationActions: [Deny]}
        """
            .formatted(namespace, operation, group, resource);
    client.load(new ByteArrayInputStream(policy.getBytes(UTF_8))).create();
  }

  private static boolean isRefused(Runnable write) {
    try {
      write.run();
      return false;
    } catch (KubernetesClientException e) {
      return true;
    }
  }

  public Plugin createPlugin() {
    return createPlugin(UnaryOperator.identity());
  }

  /**
   * @param edit of the text in {@code apiserver/plugin.yaml}
   */
  public Plugin createPlugin(UnaryOperator<String> edit) {
    return create(read("plugin.yaml", Plugin.class, edit));
  }

  public <T extends HasMetadata> T create(T object) {
    object.getMetadata().setNamespace(namespace);
    return client.resource(object).create();
  }

  /** The object as it is now; null when it is gone. */
  public <T extends HasMetadata> T now(T object) {
    return client.resource(object).inNamespace(namespace).get();
  }

  /** The object of this kind and name. */
  public <T extends HasMetadata> Resource<T> named(Class<T> kind, String name) {
    return client.resources(kind).inNamespace(namespace).withName(name);
  }

  /** All events of the namespace. */
  public List<Event> events() {
    return client.resources(Event.class).inNamespace(namespace).list().getItems();
  }

  /** The App's newest generation, carried out by this run. */
  public ChangeRef change(App app, String runId) {
    var metadata = app.getMetadata();
    return new ChangeRef(
        namespace, metadata.getName(), metadata.getUid(), metadata.getGeneration(), runId);
  }

  /** Waits for the cluster, or for the engine. */
  public ConditionFactory await() {
    return Awaitility.await().atMost(LIMIT).pollInterval(Duration.ofMillis(20));
  }

  /** Waits until the view has seen what was written. */
  public void awaitSeen(BooleanSupplier condition) {
    await().until(condition::getAsBoolean);
  }

  private <T> T read(String file, Class<T> kind, UnaryOperator<String> edit) {
    try (var stream = TestCluster.class.getResourceAsStream("/apiserver/" + file)) {
      var text = new String(stream.readAllBytes(), UTF_8);
      return client.getKubernetesSerialization().unmarshal(edit.apply(text), kind);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
