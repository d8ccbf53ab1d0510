package io.middleware.engine.agent.conformance;

import static io.grpc.Status.Code.INVALID_ARGUMENT;
import static io.grpc.Status.Code.UNIMPLEMENTED;
import static io.middleware.engine.agent.conformance.CheckedAgent.answer;
import static io.middleware.engine.agent.conformance.CheckedAgent.fails;
import static io.middleware.engine.agent.conformance.Promise.require;

import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;
import io.middleware.engine.proto.agent.v1.GetGroupOrderRequest;
import io.middleware.engine.proto.agent.v1.GetPodOrderRequest;
import io.middleware.engine.proto.agent.v1.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The promises of the service {@code Agent2}. */
final class OrderPromises {
  private static final int MANY = 200;
  private static final int LONGEST_ANSWER = 256 * 1024;
  private static final int OF_THE_FUTURE = 999;
  private static final List<Scenario> SCENARIOS =
      List.of(
          Scenario.SCENARIO_PROVISION,
          Scenario.SCENARIO_STOP,
          Scenario.SCENARIO_UPDATE,
          Scenario.SCENARIO_UPGRADE);

  private final CheckedAgent agent;

  OrderPromises(CheckedAgent agent) {
    this.agent = agent;
  }

  /** What both methods promise alike. */
  private interface Method {
    List<String> ask(int scenario, List<String> names, boolean withFieldOfTheFuture);
  }

  Stream<Promise> all() {
    return Stream.concat(
        of("GetGroupOrder", this::groups, List.of("shard-0", "shard-1", "shard-2")),
        of("GetPodOrder", this::pods, names(3)));
  }

  private Stream<Promise> of(String name, Method method, List<String> names) {
    var promises = new ArrayList<Promise>();
    for (var scenario : SCENARIOS) {
      promises.add(
          new Promise(
              "%s answers each name once, or none, for %s".formatted(name, scenario),
              () ->
                  isPermutation(
                      names, answer(() -> method.ask(scenario.getNumber(), names, false)))));
    }
    promises.add(
        new Promise(
            name + " ignores fields that it does not know",
            () -> isPermutation(names, answer(() -> method.ask(3, names, true)))));
    promises.add(
        new Promise(
            name + " answers many names in 256 KiB",
            () -> isPermutation(names(MANY), answer(() -> method.ask(3, names(MANY), false)))));
    promises.add(
        new Promise(
            name + " refuses a request without a scenario",
            () -> fails(() -> method.ask(0, names, false), INVALID_ARGUMENT)));
    promises.add(
        new Promise(
            name + " refuses an empty name",
            () -> fails(() -> method.ask(3, List.of("a-0", ""), false), INVALID_ARGUMENT)));
    promises.add(
        new Promise(
            name + " refuses a repeated name",
            () -> fails(() -> method.ask(3, List.of("a-0", "a-0"), false), INVALID_ARGUMENT)));
    promises.add(
        new Promise(
            name + " does not know a scenario of the future",
            () -> fails(() -> method.ask(OF_THE_FUTURE, names, false), UNIMPLEMENTED)));
    return promises.stream();
  }

  private List<String> groups(int scenario, List<String> names, boolean withFieldOfTheFuture) {
    var request =
        GetGroupOrderRequest.newBuilder()
            .setComponentName("nodes")
            .setScenarioValue(scenario)
            .addAllGroups(names);
    if (withFieldOfTheFuture) {
      request.setUnknownFields(ofTheFuture());
    }
    var answer = agent.orders().getGroupOrder(request.build());
    require(answer.getSerializedSize() <= LONGEST_ANSWER, "its answer has more than 256 KiB");
    return answer.getOrderList();
  }

  private List<String> pods(int scenario, List<String> names, boolean withFieldOfTheFuture) {
    var request =
        GetPodOrderRequest.newBuilder()
            .setGroupName("cache-nodes-all")
            .setScenarioValue(scenario)
            .addAllPods(names);
    if (withFieldOfTheFuture) {
      request.setUnknownFields(ofTheFuture());
    }
    var answer = agent.orders().getPodOrder(request.build());
    require(answer.getSerializedSize() <= LONGEST_ANSWER, "its answer has more than 256 KiB");
    return answer.getOrderList();
  }

  static UnknownFieldSet ofTheFuture() {
    return UnknownFieldSet.newBuilder()
        .addField(OF_THE_FUTURE, Field.newBuilder().addVarint(1).build())
        .build();
  }

  private static void isPermutation(List<String> asked, List<String> order) {
    require(
        order.isEmpty()
            || order.stream().sorted().toList().equals(asked.stream().sorted().toList()),
        "it answers %s, which is not a permutation of %s",
        order,
        asked);
  }

  /** Among few names is that of the pod. */
  private List<String> names(int count) {
    var stem = agent.pod().isEmpty() ? "pod-" : agent.pod().replaceFirst("[0-9]+$", "");
    return IntStream.range(0, count).mapToObj(number -> stem + number).toList();
  }
}
