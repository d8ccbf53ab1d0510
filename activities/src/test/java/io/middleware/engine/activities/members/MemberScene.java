package io.middleware.engine.activities.members;

import static io.middleware.engine.cluster.SampleObjects.set;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.activities.pods.AgentScene;
import io.middleware.engine.activities.volumes.VolumeClaims;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.agents.AgentActions;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.render.SampleGroups;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.MemberActivities.MoveRequest;
import io.middleware.engine.workflows.port.MemberMove;
import io.middleware.engine.workflows.port.MemberMove.Direction;
import io.middleware.engine.workflows.port.TaskRef;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** A group whose pods db-0 and db-1 are members, and whose agents listen. */
final class MemberScene extends AgentScene {
  private final GroupRef group;

  MemberScene(LocalNamespace cluster, LocalEngine engine) throws IOException {
    super(cluster, engine);
    var change = engine.begin(cluster.createApp());
    group = new GroupRef(new TaskRef(change, "1-resources-db", ChangeType.RESOURCES, "db"), "g");
    cluster.createPlugin(
        yaml ->
            yaml.replace(
                "  componentTypes:\n  - name: redis\n",
                "  agent: {port: %d}\n  componentTypes:\n  - name: redis\n    scaling: OneByOne\n"
                    .formatted(zero.port())));
    var created = new Group();
    created.setMetadata(
        new ObjectMetaBuilder()
            .withName("cache-db-g")
            .withLabels(Labels.of("cache", "db", "g", "redis-v1.0.0"))
            .build());
    created.setSpec(SampleGroups.running(2));
    cluster.create(created);
  }

  MoveRequest joins(String pod) {
    return new MoveRequest(group, new MemberMove(Direction.JOIN, pod, 3, 5, Optional.empty()));
  }

  MoveRequest leaves(String pod) {
    return new MoveRequest(group, new MemberMove(Direction.LEAVE, pod, 1, 1, Optional.empty()));
  }

  KubernetesMemberActivities activities() {
    return new KubernetesMemberActivities(
        context(),
        engine.objects,
        engine.plugins,
        new AgentQueries(channels, policy),
        new AgentActions(channels, policy),
        new VolumeClaims(cluster.client(), engine.writers));
  }

  /** A group of three, of which db-0 is ready. */
  void three(PodState one, PodState two) {
    view.sets.set(0, set(3, 1));
    view.pods.set(1, one);
    view.pods.add(two);
  }

  /** Has the Group say this of its members. */
  void note(String members) {
    cluster
        .named(Group.class, "cache-db-g")
        .edit(
            it -> {
              it.getMetadata().setAnnotations(Map.of(Labels.MEMBERS, members));
              return it;
            });
  }

  /** What the Group says of its members. */
  String members() {
    return cluster
        .named(Group.class, "cache-db-g")
        .get()
        .getMetadata()
        .getAnnotations()
        .get(Labels.MEMBERS);
  }
}
