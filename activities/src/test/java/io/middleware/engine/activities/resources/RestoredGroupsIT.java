package io.middleware.engine.activities.resources;

import static io.middleware.engine.cluster.SampleObjects.readyAt;
import static io.middleware.engine.cluster.SampleObjects.set;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.FakeView;
import io.middleware.engine.cluster.agents.AgentChannels;
import io.middleware.engine.cluster.agents.AgentPolicy;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.cluster.agents.FakeAgent;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.TaskRef;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is said of a group that was filled from a backup. */
@ExtendWith(ApiServer.class)
class RestoredGroupsIT {
  private final LocalNamespace cluster;
  private final FakeView view = new FakeView();
  private final AgentChannels channels = new AgentChannels(name -> null);
  private FakeAgent agent;

  RestoredGroupsIT(LocalNamespace cluster) {
    this.cluster = cluster;
  }

  @BeforeEach
  void start() throws IOException {
    agent = new FakeAgent("127.0.0.12", 0);
    view.sets.add(set(1, 1));
    view.pods.add(readyAt("db-0", "new", "127.0.0.12"));
  }

  @AfterEach
  void stop() {
    channels.close();
    agent.close();
  }

  @Test
  void shouldSayWhatTheAgentCounts() {
    agent.answers.put("restored", "10000 keys");

    assertThat(said()).isEqualTo("db/g is restored from Backup monday: pod db-0 has 10000 keys");
  }

  @Test
  void shouldNotWaitForAnAgentThatDoesNotCount() {
    assertThat(said()).isEqualTo("db/g is restored from Backup monday");
  }

  private String said() {
    var engine = new LocalEngine(cluster);
    var port = agent.port();
    var plugin =
        cluster
            .createPlugin(
                it ->
                    it.replace(
                        "  version: 1.0.0",
                        "  version: 1.0.0\n  agent: {port: %d}".formatted(port)))
            .getSpec();
    var queries = new AgentQueries(channels, new AgentPolicy(Duration.ofSeconds(5), 1, 65_536));
    var task =
        new TaskRef(
            cluster.change(cluster.createApp(), "run-1"),
            "1-provision-db",
            ChangeType.PROVISION,
            "db");
    var group = Serialization.unmarshal("group: g\nrestoreFrom: {backup: monday}", GroupSpec.class);
    new RestoredGroups(view, queries, engine.events).report(task, group, plugin);
    return cluster.events().stream()
        .filter(event -> "BackupRestored".equals(event.getReason()))
        .map(Event::getNote)
        .findFirst()
        .orElseThrow();
  }
}
