package io.middleware.engine.agent.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.middleware.engine.proto.agent.v1.Scenario;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ReplicationOrderTest {
  private static final List<String> GROUPS = List.of("shard-10", "shard-2", "shard-0");
  private static final List<String> PODS = List.of("db-2", "db-10", "db-0", "db-1");

  @ParameterizedTest
  @CsvSource({
    "SCENARIO_PROVISION, true",
    "SCENARIO_STOP, false",
    "SCENARIO_UPDATE, false",
    "SCENARIO_UPGRADE, false",
  })
  void shouldOrderGroupsByNumber(Scenario scenario, boolean concurrent) {
    assertThat(ReplicationOrder.ofGroups(scenario, GROUPS))
        .isEqualTo(new WorkOrder(List.of("shard-0", "shard-2", "shard-10"), concurrent));
  }

  @ParameterizedTest
  @CsvSource({
    "SCENARIO_PROVISION, db-1, 'db-0,db-1,db-2,db-10', true",
    "SCENARIO_PROVISION, , 'db-0,db-1,db-2,db-10', true",
    "SCENARIO_STOP, db-1, 'db-0,db-2,db-10,db-1', false",
    "SCENARIO_STOP, , 'db-0,db-1,db-2,db-10', false",
    "SCENARIO_UPDATE, db-0, 'db-1,db-2,db-10,db-0', false",
    "SCENARIO_UPDATE, db-10, 'db-0,db-1,db-2,db-10', false",
    "SCENARIO_UPGRADE, db-2, 'db-0,db-1,db-10,db-2', false",
    "SCENARIO_UPGRADE, db-7, 'db-0,db-1,db-2,db-10', false",
  })
  void shouldPutThePrimaryLastOncePodsServe(
      Scenario scenario, String primary, String order, boolean concurrent) {
    assertThat(ReplicationOrder.ofPods(scenario, PODS, Optional.ofNullable(primary)))
        .isEqualTo(new WorkOrder(List.of(order.split(",", -1)), concurrent));
  }

  @ParameterizedTest
  @EnumSource(names = {"SCENARIO_UNSPECIFIED", "UNRECOGNIZED"})
  void shouldRefuseAnUnknownScenario(Scenario scenario) {
    assertThatThrownBy(() -> ReplicationOrder.ofGroups(scenario, GROUPS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(scenario.name());
  }
}
