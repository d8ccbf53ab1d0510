package io.middleware.engine.process.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.middleware.engine.api.App;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** A namespace on the API server, of which nobody else knows. */
public class LocalCluster {
  private static final String REFUSAL = "refused by a test";

  /** Generous, for a machine that is busy. */
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final KubernetesClient client;
  private final String namespace;

  protected LocalCluster(KubernetesClient client, String namespace) {
    this.client = client;
    this.namespace = namespace;
  }

  /** With all rights. */
  public KubernetesClient client() {
    return client;
  }

  public String namespace() {
    return namespace;
  }

  /** Creates the App {@code cache}: the component {@code db} with the group {@code g}. */
  public App createApp() {
    return createApp(UnaryOperator.identity());
  }

  /**
   * @param edit of the text in {@code servers/app.yaml}
   */
  public App createApp(UnaryOperator<String> edit) {
    return create(app(edit));
  }

  /** Applies the same App, edited, as its user. */
  public App editApp(UnaryOperator<String> edit) {
    var app = app(edit);
    app.getMetadata().setNamespace(namespace);
    return client.resource(app).fieldManager("user").forceConflicts().serverSideApply();
  }

  private App app(UnaryOperator<String> edit) {
    return read("/servers/app.yaml", App.class, edit);
  }

  /** Changes the status of the App {@code cache} as somebody who is not the engine. */
  public void patchStatus(String status) {
    var bare = new App();
    bare.getMetadata().setNamespace(namespace);
    bare.getMetadata().setName("cache");
    patchStatus(bare, status);
  }

  /** Changes the status of the object as somebody else, whatever version of it is given. */
  public void patchStatus(HasMetadata object, String status) {
    client
        .resource(object)
        .subresource("status")
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\": %s}".formatted(status));
  }

  /**
   * From now on the API server refuses such writes in this namespace.
   *
   * @param resource in plural, with the subresource if there is one
   * @param write that is refused; it is tried until it is
   */
  public void refuse(String operation, String group, String resource, Runnable write) {
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
          validations: [{expression: "false", message: %5$s}]
        ---
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingAdmissionPolicyBinding
        metadata: {name: "%1$s"}
        spec: {policyName: "%1$s", validationActions: [Deny]}
        """
            .formatted(namespace, operation, group, resource, REFUSAL);
    client.load(new ByteArrayInputStream(policy.getBytes(UTF_8))).create();
    await().until(() -> isRefused(write));
  }

  private static boolean isRefused(Runnable write) {
    try {
      write.run();
      return false;
    } catch (KubernetesClientException e) {
      return e.getMessage().contains(REFUSAL);
    }
  }

  public <T extends HasMetadata> T create(T object) {
    object.getMetadata().setNamespace(namespace);
    return client.resource(object).create();
  }

  /**
   * Creates an object from a text in YAML.
   *
   * @param text may be without apiVersion and kind
   */
  public <T extends HasMetadata> T create(Class<T> kind, String text) {
    return create(client.getKubernetesSerialization().unmarshal(text, kind));
  }

  /** The object as it is now; null when it is gone. */
  public <T extends HasMetadata> T now(T object) {
    return client.resource(object).inNamespace(namespace).get();
  }

  /** The object of this kind and name. */
  public <T extends HasMetadata> Resource<T> named(Class<T> kind, String name) {
    return client.resources(kind).inNamespace(namespace).withName(name);
  }

  /** All objects of this kind. */
  public <T extends HasMetadata> List<T> all(Class<T> kind) {
    return client.resources(kind).inNamespace(namespace).list().getItems();
  }

  /** Waits for the cluster, or for the engine. */
  public ConditionFactory await() {
    return Awaitility.await().atMost(LIMIT).pollInterval(Duration.ofMillis(20));
  }

  /**
   * @param resource beside the classes
   */
  protected <T> T read(String resource, Class<T> kind, UnaryOperator<String> edit) {
    try (var stream = getClass().getResourceAsStream(resource)) {
      var text = new String(stream.readAllBytes(), UTF_8);
      return client.getKubernetesSerialization().unmarshal(edit.apply(text), kind);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
