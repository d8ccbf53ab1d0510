package io.middleware.engine.activities.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.activities.apiserver.NoOrders;
import io.middleware.engine.api.App;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.ExecutionOrder;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.GroupWrite.Applied;
import io.middleware.engine.workflows.port.OpenedComponent;
import io.middleware.engine.workflows.port.OrderingActivities;
import io.middleware.engine.workflows.port.PodOrder;
import io.middleware.engine.workflows.port.PodOrder.OutdatedPod;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The steps that write also ask for the order of what they have written. */
@ExtendWith(ApiServer.class)
class OrderWithObjectsIT {
  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private final LocalWriters writers;
  private App app;

  OrderWithObjectsIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
    this.writers = new LocalWriters(engine);
  }

  @BeforeEach
  void create() {
    cluster.createPlugin();
    app = cluster.createApp();
  }

  @Test
  void shouldAskForTheOrderOfTheStatefulSetThatItHasWritten() {
    // Given
    var orders =
        new NoOrders() {
          @Override
          public PodOrder podOrder(PodOrderRequest request) {
            var pod =
                new OutdatedPod("cache-db-g-0", request.statefulSet().uid(), Optional.empty());
            return new PodOrder(List.of(pod), Optional.empty(), AgentEndpoint.NONE, false);
          }
        };
    // When
    var applied = apply(orders);
    // Then
    assertThat(applied.order().orElseThrow().pods())
        .extracting(OutdatedPod::uid)
        .containsExactly(set().getMetadata().getUid());
  }

  @Test
  void shouldHaveWrittenTheObjectsWhenThereIsNoOrder() {
    // When
    var applied = apply(new NoOrders());
    // Then
    assertThat(applied.order()).isEmpty();
    assertThat(applied.statefulSet().orElseThrow().uid()).isEqualTo(set().getMetadata().getUid());
  }

  @Test
  void shouldAskForTheOrderOfTheGroupsThatItOpens() {
    // Given
    var orders =
        new NoOrders() {
          @Override
          public ExecutionOrder groupOrder(GroupOrderRequest request) {
            return new ExecutionOrder(request.groups(), true);
          }
        };
    // When
    var opened = open(orders);
    // Then
    assertThat(opened.order()).contains(new ExecutionOrder(opened.groups(), true));
    assertThat(opened.groups()).isNotEmpty();
  }

  @Test
  void shouldHaveOpenedTheComponentWhenThereIsNoOrder() {
    // When
    var opened = open(new NoOrders());
    // Then
    assertThat(opened.order()).isEmpty();
    assertThat(opened.groups()).isNotEmpty();
  }

  private OpenedComponent open(OrderingActivities orders) {
    var task = writers.open(app, ChangeType.PROVISION).task();
    return engine.resources(cluster.view(), orders).openComponent(task);
  }

  private Applied apply(OrderingActivities orders) {
    var group = writers.open(app, ChangeType.PROVISION);
    return (Applied) engine.resources(cluster.view(), orders).applyGroup(group);
  }

  private StatefulSet set() {
    return cluster.named(StatefulSet.class, "cache-db-g").get();
  }
}
