package io.middleware.engine.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.GroupStatus;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.Node;
import io.middleware.engine.api.change.TaskStatus;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.awaitility.core.ConditionTimeoutException;

/** A namespace of its own with the rights an App needs; what users do and see there. */
public final class Shop implements AutoCloseable {
  /**
   * The API server notes an eviction in the pods' budget before it deletes the pod. When a kill
   * cuts it off in between, or when a busy controller only sees the next pod of that name, the
   * budget stays used up for two minutes.
   */
  public static final Duration PATIENCE = Duration.ofMinutes(4);

  /** Of all shops: a client of its own would cost each test more than its calls. */
  private static final KubernetesClient CLIENT = new KubernetesClientBuilder().build();

  public final String namespace = "e2e-" + UUID.randomUUID().toString().substring(0, 8);
  public final KubernetesClient client = CLIENT;
  public final AuditLog audit = AuditLog.fromNow();

  public Shop() {
    grantRights();
    applyPlugin(sample("plugin-redis.yaml"));
  }

  /** Makes the namespace and gives the App's account its rights, once or again. */
  public void grantRights() {
    prepare(Yaml.read("k8s/samples/shop.yaml").replace("shop", namespace));
  }

  /** A manifest of simulated Redis, moved to this namespace. */
  public Yaml sample(String file) {
    return file("e2e/src/test/resources/simulated/" + file);
  }

  /** A manifest of the checkout, moved to this namespace. */
  public Yaml file(String path) {
    var text = Yaml.read(path).text();
    return new Yaml(text.replace("namespace: shop", "namespace: " + namespace));
  }

  /** The usual App: 2 components, 3 groups, 9 pods, on Redis 7.0. */
  public Yaml cache() {
    return sample("app-cache.yaml");
  }

  /** An App of one component, one group and one pod. */
  public Yaml small(String name) {
    return new Yaml(
        """
        apiVersion: middleware.io/v1
        kind: App
        metadata: {name: %s, namespace: %s}
        spec:
          plugin: {name: redis, version: 1.0.0}
          runtime: {name: redis, version: "7.0"}
          components:
          - name: sentinel
            groups: [{name: all, replicas: 1}]
        """
            .formatted(name, namespace));
  }

  /** {@code kubectl apply -f -}, as users do; fails with the message of kubectl. */
  public String apply(Yaml yaml) {
    return kubectl(yaml.text(), "apply", "-f", "-");
  }

  /** A Plugin belongs to the whole cluster: an earlier version of the same name is overwritten. */
  public void applyPlugin(Yaml yaml) {
    prepare(yaml);
  }

  /** Without kubectl, which costs more than the API server's work. */
  private void prepare(Yaml yaml) {
    var text = new ByteArrayInputStream(yaml.text().getBytes(UTF_8));
    client
        .load(text)
        .items()
        .forEach(item -> client.resource(item).forceConflicts().serverSideApply());
  }

  /** The message with which the API server refuses it. */
  public String refusal(Yaml yaml) {
    try {
      apply(yaml);
    } catch (IllegalStateException e) {
      return e.getMessage();
    }
    throw new AssertionError("accepted, but should have been refused:\n" + yaml);
  }

  public String kubectl(String input, String... arguments) {
    try {
      Path file = Files.createTempFile("e2e", ".yaml");
      try {
        Files.writeString(file, input);
        var words = new java.util.ArrayList<>(List.of("kubectl"));
        for (var argument : arguments) {
          words.add(argument.equals("-") ? file.toString() : argument);
        }
        return Engine.run(words);
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  public App app(String name) {
    return client.resources(App.class).inNamespace(namespace).withName(name).get();
  }

  public AppStatus status(String name) {
    return Optional.ofNullable(app(name)).map(App::getStatus).orElse(null);
  }

  /** The status of each App, for a person who reads why a test failed. */
  List<String> statuses() {
    return client.resources(App.class).inNamespace(namespace).list().getItems().stream()
        .map(app -> app.getMetadata().getName() + ": " + app.getStatus())
        .toList();
  }

  public static Optional<Condition> condition(App app, String type) {
    return Optional.ofNullable(app.getStatus()).stream()
        .map(AppStatus::conditions)
        .filter(Objects::nonNull)
        .flatMap(List::stream)
        .filter(condition -> condition.getType().equals(type))
        .findFirst();
  }

  /** Waits until the App's newest generation has been carried out and all is ready. */
  public App awaitReady(String name) {
    return awaitApp(
        name,
        app -> {
          failIfOver(app);
          return condition(app, "Ready")
              .filter(ready -> ready.getStatus().equals("True"))
              .filter(
                  ready -> app.getMetadata().getGeneration().equals(ready.getObservedGeneration()))
              .isPresent();
        });
  }

  /** Roles and the metadata follow readiness after some seconds. */
  public void awaitQuiet() {
    await("nothing written for 6 s")
        .atMost(PATIENCE)
        .until(
            () -> {
              var audit = AuditLog.fromNow();
              Thread.sleep(Duration.ofSeconds(6));
              return audit.writes(namespace).isEmpty();
            });
  }

  /** Waiting is useless once the change has ended otherwise and is not retried by itself. */
  private static void failIfOver(App app) {
    var change = app.getStatus() == null ? null : app.getStatus().change();
    if (change != null
        && app.getMetadata().getGeneration().equals(change.generation())
        && change.outcome() != null
        && !List.of("Succeeded", "Terminated").contains(change.outcome())) {
      throw new AssertionError(change.outcome() + ": " + change.message());
    }
  }

  public App awaitApp(String name, Predicate<App> wanted) {
    var last = new App[1];
    try {
      await("App " + namespace + "/" + name)
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(100))
          .until(
              () -> {
                last[0] = app(name);
                return last[0] != null && wanted.test(last[0]);
              });
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(
          "App %s/%s is not as expected: %s".formatted(namespace, name, last[0]), e);
    }
    return last[0];
  }

  /** Waits until the change of the newest edit has failed. */
  public App awaitFailed(String name) {
    return awaitApp(
        name,
        app ->
            app.getStatus() != null
                && app.getStatus().change() != null
                && "Failed".equals(app.getStatus().change().outcome())
                && app.getMetadata().getGeneration().equals(app.getStatus().observedGeneration()));
  }

  /** Waits until the task of this id has this status. */
  public TaskStatus awaitTask(String name, String id, String wanted) {
    return awaitApp(name, app -> task(app, id).filter(t -> t.status().equals(wanted)).isPresent())
        .getStatus()
        .tasks()
        .stream()
        .filter(task -> task.id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  private static Optional<TaskStatus> task(App app, String id) {
    return Optional.ofNullable(app.getStatus()).map(AppStatus::tasks).stream()
        .flatMap(List::stream)
        .filter(task -> task.id().equals(id))
        .findFirst();
  }

  /** {@code kubectl annotate app <name> <annotation>=<value>}, as users do. */
  public void annotate(String name, String annotation, String value) {
    kubectl("", "annotate", "app", name, "-n", namespace, "--overwrite", annotation + "=" + value);
  }

  /**
   * {@code kubectl annotate pods}.
   *
   * @param annotation {@code key=value}, or {@code key-} to remove it
   * @param pods their names, or {@code -l} and a selector
   */
  public void annotatePods(String annotation, String... pods) {
    var words = new ArrayList<>(List.of("annotate", "pods", "-n", namespace, "--overwrite"));
    words.addAll(List.of(pods));
    words.add(annotation);
    kubectl("", words.toArray(String[]::new));
  }

  /** The events of this reason that people see on the App. */
  public List<Event> events(String name, String reason) {
    return client.v1().events().inNamespace(namespace).list().getItems().stream()
        .filter(event -> event.getInvolvedObject().getName().equals(name))
        .filter(event -> event.getReason().equals(reason))
        .toList();
  }

  /** The pods that a Group shows as primary: the watcher hears it a little after they are ready. */
  public List<String> primaries(String group) {
    var shown = client.resources(Group.class).inNamespace(namespace).withName(group).require();
    return Optional.ofNullable(shown.getStatus()).map(GroupStatus::nodes).stream()
        .flatMap(List::stream)
        .filter(node -> "primary".equals(node.role()))
        .map(Node::pod)
        .toList();
  }

  public List<Pod> pods(String app) {
    return client.pods().inNamespace(namespace).withLabel(Labels.APP, app).list().getItems();
  }

  /** The namespace stays, because deleting one costs the servers more than many a test. */
  @Override
  public void close() {
    try {
      HeldPod.releaseAll(this);
    } finally {
      client.resources(App.class).inNamespace(namespace).delete();
    }
    await("Apps of " + namespace + " gone")
        .atMost(PATIENCE)
        .until(
            () -> client.resources(App.class).inNamespace(namespace).list().getItems().isEmpty());
  }
}
