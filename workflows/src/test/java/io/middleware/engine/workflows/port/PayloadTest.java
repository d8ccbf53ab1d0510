package io.middleware.engine.workflows.port;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.ChangePlan;
import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.ExecutionOrder;
import io.middleware.engine.api.task.HookPoint;
import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.api.task.RollingPolicy;
import io.middleware.engine.api.task.TaskHook;
import io.middleware.engine.api.task.TaskHooks;
import io.middleware.engine.api.task.TaskPolicy;
import io.middleware.engine.api.task.UndoPolicy;
import io.middleware.engine.api.task.WatchedChecks;
import io.middleware.engine.workflows.port.DrainFirst.LeavingPod;
import io.middleware.engine.workflows.port.GroupWrite.Applied;
import io.middleware.engine.workflows.port.MemberMove.Direction;
import io.middleware.engine.workflows.port.PlanAnswer.Gone;
import io.middleware.engine.workflows.port.PlanAnswer.Planned;
import io.middleware.engine.workflows.port.PlanAnswer.Rejected;
import io.middleware.engine.workflows.port.PodActivities.OrderStale;
import io.middleware.engine.workflows.port.PodActivities.Replaced;
import io.middleware.engine.workflows.port.PodActivities.Replacement;
import io.middleware.engine.workflows.port.PodOrder.OutdatedPod;
import io.middleware.engine.workflows.request.ChangeRequest;
import io.middleware.engine.workflows.request.ChangeTarget;
import io.middleware.engine.workflows.request.OperationRequest;
import io.middleware.engine.workflows.request.RetryRequest;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.common.converter.JacksonJsonPayloadConverter;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What crosses a port keeps its meaning on the wire, in JSON that people can read. */
class PayloadTest {
  private static final DefaultDataConverter CONVERTER = DefaultDataConverter.newDefaultInstance();

  private static final OperationRef OPERATION =
      new OperationRef("restart-1", "uid-of-operation", OperationAction.RESTART);

  private static final TaskPolicy POLICY =
      new TaskPolicy(Duration.ofSeconds(30), 3, Duration.ofSeconds(1));

  private static final ChangeTask TASK =
      new ChangeTask("7-config-db", ChangeType.CONFIG, "db", "config", 0, true, false, POLICY);

  private static final ChangeTask HOOKED_TASK =
      TASK.with(
          new TaskHooks(
              Optional.empty(), Optional.of(new TaskHook(HookPoint.AFTER_UPGRADE, "snapshot"))),
          "config; then runs snapshot");

  private static final OperationRef REPORT =
      new OperationRef("report-1", "uid-of-report", OperationAction.PLUGIN, "report", true);

  private static final ChangeRequest EDIT =
      new ChangeRequest(new ChangeTarget("shop", "cache", "uid", 100), 8, false);

  private static final DrainFirst DRAIN_FIRST =
      new DrainFirst(
          List.of(new LeavingPod("db-2", "uid-2")), new AgentEndpoint(9090, "agents"), true);
  private static final String DRAIN_FIRST_JSON =
      """
      {"outcome":"drainFirst","pods":[{"name":"db-2","uid":"uid-2"}],"agents":{"port":9090,"tlsSecret":"agents"},"switchover":true,"preparations":["DRAIN"],"by":{}}""";

  static Stream<Arguments> payloads() {
    return Stream.of(
        Arguments.of(GroupWrite.class, DRAIN_FIRST, DRAIN_FIRST_JSON),
        Arguments.of(GroupRemoval.class, DRAIN_FIRST, DRAIN_FIRST_JSON),
        Arguments.of(GroupRemoval.class, new GroupRemoval.Removed(), "{\"outcome\":\"removed\"}"),
        Arguments.of(
            GroupWrite.class,
            new Applied(Optional.of(new AppliedStatefulSet("db", 4, "uid", true, false))),
            """
            {"outcome":"applied","statefulSet":{"name":"db","generation":4,"uid":"uid","reload":true,"keepsPods":false},"order":null}"""),
        Arguments.of(
            Applied.class,
            new Applied(Optional.empty()),
            "{\"outcome\":\"applied\",\"statefulSet\":null,\"order\":null}"),
        Arguments.of(
            Replacement.class, new Replaced(true), "{\"outcome\":\"replaced\",\"converged\":true}"),
        Arguments.of(
            Replacement.class,
            new OrderStale("pod db-0 is primary"),
            "{\"outcome\":\"orderStale\",\"why\":\"pod db-0 is primary\"}"),
        Arguments.of(
            OperationRef.class,
            OPERATION,
            "{\"name\":\"restart-1\",\"uid\":\"uid-of-operation\",\"action\":\"Restart\"}"),
        Arguments.of(PlanAnswer.class, new Gone(), "{\"answer\":\"gone\"}"),
        Arguments.of(
            PlanAnswer.class,
            new Rejected(7, "InvalidSpec", "spec.plugin: is missing"),
            """
            {"answer":"rejected","generation":7,"reason":"InvalidSpec","message":"spec.plugin: is missing"}"""));
  }

  static Stream<Arguments> members() {
    return Stream.of(
        Arguments.of(
            GroupWrite.class,
            new MemberMove(Direction.LEAVE, "db-2", 2, 1, Optional.of(DRAIN_FIRST)),
            """
            {"outcome":"memberMove","direction":"LEAVE","pod":"db-2","members":2,"target":1,"drain":%s}"""
                .formatted(DRAIN_FIRST_JSON)),
        Arguments.of(
            GroupWrite.class,
            new GroupWrite.MembersReturn(3),
            "{\"outcome\":\"membersReturn\",\"members\":3}"),
        Arguments.of(
            GroupWrite.class,
            new GroupWrite.MembersReturn(3, true),
            "{\"outcome\":\"membersReturn\",\"members\":3,\"running\":true}"));
  }

  static Stream<Arguments> changes() {
    return Stream.of(
        Arguments.of(
            ChangeRef.class,
            new ChangeRef("shop", "cache", "uid", 7, "run"),
            """
            {"namespace":"shop","app":"cache","uid":"uid","generation":7,"runId":"run","cluster":""}"""),
        Arguments.of(
            ChangeRef.class,
            new ChangeRef("shop", "cache", "uid", 7, "run", "prod").of(Optional.of(REPORT)),
            """
            {"namespace":"shop","app":"cache","uid":"uid","generation":7,"runId":"run","cluster":"prod","operation":{"name":"report-1","uid":"uid-of-report","action":"Plugin","pluginAction":"report","shared":true}}"""));
  }

  @Test
  void shouldDrainPodsWhereAnOlderEngineHasSaidNothingElse() throws IOException {
    var older = DRAIN_FIRST_JSON.replace(",\"preparations\":[\"DRAIN\"]", "");
    assertThat(
            JacksonJsonPayloadConverter.newDefaultObjectMapper().readValue(older, GroupWrite.class))
        .isEqualTo(DRAIN_FIRST);
  }

  @ParameterizedTest
  @MethodSource({"payloads", "members", "changes"})
  void shouldBeReadAsItWasWritten(Class<?> type, Object value, String json) throws IOException {
    // When
    var payload = CONVERTER.toPayload(value).orElseThrow();
    // Then
    assertThat(JacksonJsonPayloadConverter.newDefaultObjectMapper().writeValueAsString(value))
        .isEqualTo(json);
    assertThat((Object) CONVERTER.fromPayload(payload, type, type)).isEqualTo(value);
  }

  private static ChangePlan plan() {
    return new ChangePlan(
        7,
        false,
        List.of(),
        new RollingPolicy(1, Duration.ZERO),
        new UndoPolicy(true, false),
        false,
        Optional.of("abc"),
        Optional.of("redis-v1.0.0-0123456789abcdef"),
        List.of(new WatchedChecks("db", List.of("in-sync"))));
  }

  static Stream<Object> records() {
    var plan = plan();
    return Stream.of(
        plan,
        new Planned(plan, List.of(), Optional.of("run-6 was terminated")),
        new ExecutionOrder(List.of("a"), true, Optional.of("no agent answers")),
        new ExecutionOrder(List.of("a"), true),
        ExecutionOrder.UNANSWERED,
        PodOrder.UNANSWERED,
        new PodOrder(
            List.of(
                new OutdatedPod("db-1", "uid-1", Optional.empty()),
                new OutdatedPod("db-0", "uid-0", Optional.of("primary"))),
            Optional.empty(),
            AgentEndpoint.NONE,
            true),
        new ChangeRequest(
            new ChangeTarget("shop", "cache", "uid", 100),
            7,
            false,
            true,
            true,
            Optional.of(new RetryRequest(List.of("7-config-db"), true)),
            2,
            Optional.of("redis-v1"),
            Optional.empty()),
        OPERATION,
        new ChangeRequest(new ChangeTarget("shop", "cache", "uid", 100), 7, false)
            .of(new OperationRequest(OPERATION).and(EDIT)));
  }

  @ParameterizedTest
  @MethodSource("records")
  void shouldSurviveTheWire(Object value) {
    // When
    var payload = CONVERTER.toPayload(value).orElseThrow();
    // Then
    assertThat((Object) CONVERTER.fromPayload(payload, value.getClass(), value.getClass()))
        .isEqualTo(value);
  }

  @Test
  void shouldReadAChangeThatNamesNoCluster() {
    // Given
    record Older(String namespace, String app, String uid, long generation, String runId) {}
    var payload = CONVERTER.toPayload(new Older("shop", "cache", "uid", 7, "run")).orElseThrow();
    // When
    var read = CONVERTER.fromPayload(payload, ChangeRef.class, ChangeRef.class);
    // Then
    assertThat(read).isEqualTo(new ChangeRef("shop", "cache", "uid", 7, "run"));
    assertThat(read.workflowId()).isEqualTo("app/shop/cache");
  }

  @Test
  void shouldKeepTheHooksOfATask() {
    shouldSurviveTheWire(HOOKED_TASK);
  }

  @Test
  void shouldNotTellOfHooksWhereThereAreNone() {
    // Given
    record Older(
        String id,
        ChangeType type,
        String component,
        String description,
        int stage,
        boolean inline,
        boolean inRun,
        TaskPolicy policy) {}
    var older = new Older("7-config-db", ChangeType.CONFIG, "db", "config", 0, true, false, POLICY);
    // When
    var payload = CONVERTER.toPayload(older).orElseThrow();
    var read = CONVERTER.fromPayload(payload, ChangeTask.class, ChangeTask.class);
    // Then
    assertThat(read).isEqualTo(TASK);
    assertThat(CONVERTER.toPayload(TASK)).contains(payload);
  }

  @Test
  void shouldReadAbsenceAsAnEmptyOptional() throws NoSuchMethodException {
    // Given
    Type type =
        PodActivities.class
            .getMethod("missing", PodActivities.ConvergeRequest.class)
            .getGenericReturnType();
    var payload = CONVERTER.toPayload(Optional.empty()).orElseThrow();
    // When
    Object read = CONVERTER.fromPayload(payload, Optional.class, type);
    // Then
    assertThat(type).isInstanceOf(ParameterizedType.class);
    assertThat(read).isEqualTo(Optional.empty());
  }
}
