package io.middleware.engine.cluster.agents;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.middleware.engine.workflows.port.PodOrder.OutdatedPod;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The primary db-0 is known from before, while agents report no roles, give no order, or both. */
class SilentAgentsTest extends OrderingScene {
  private static final Status SILENT = Status.UNAVAILABLE.withDescription("no answer");

  enum Silent {
    PRIMARY,
    REPLICA,
    ALL
  }

  enum About {
    ROLES,
    ORDERS,
    BOTH
  }

  enum Order {
    CONCURRENT,
    EMPTY,
    GIVEN
  }

  static Stream<Arguments> table() {
    return Stream.of(Silent.values())
        .flatMap(
            silent ->
                Stream.of(About.values())
                    .flatMap(
                        about ->
                            Stream.of(Order.values())
                                .map(order -> Arguments.of(silent, about, order))));
  }

  @ParameterizedTest
  @MethodSource("table")
  void shouldReplaceTheKnownPrimaryLastAndKnowItsRole(Silent silent, About about, Order order) {
    // Given
    first.role = "primary";
    lastPrimary = Optional.of("db-0");
    silence(silent, about);
    give(order);
    // When
    var pods = podOrder(4).pods();
    // Then
    var isOpen = order != Order.GIVEN || (silent == Silent.ALL && about != About.ROLES);
    assertThat(pods)
        .extracting(OutdatedPod::name)
        .containsExactlyElementsOf(isOpen ? List.of("db-1", "db-0") : List.of("db-0", "db-1"));
    assertThat(pods)
        .filteredOn(pod -> pod.name().equals("db-0"))
        .containsExactly(
            new OutdatedPod(
                "db-0",
                "uid-of-db-0",
                Optional.of(OutdatedPod.PRIMARY),
                silent != Silent.REPLICA && about != About.ORDERS));
  }

  private void silence(Silent silent, About about) {
    Stream.of(silent == Silent.REPLICA ? null : first, silent == Silent.PRIMARY ? null : second)
        .filter(agent -> agent != null)
        .forEach(
            agent -> {
              agent.roleFailure = about == About.ORDERS ? Status.OK : SILENT;
              agent.orderFailure = about == About.ROLES ? Status.OK : SILENT;
            });
  }

  private void give(Order order) {
    UnaryOperator<List<String>> answer = names -> order == Order.EMPTY ? List.of() : names;
    Stream.of(first, second)
        .forEach(
            agent -> {
              agent.order = answer;
              agent.concurrent = order == Order.CONCURRENT;
            });
  }
}
