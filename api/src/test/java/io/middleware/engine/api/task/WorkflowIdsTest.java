package io.middleware.engine.api.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkflowIdsTest {
  @ParameterizedTest
  @CsvSource({
    "'', shop, cache, app/shop/cache",
    "west, shop, cache, west/app/shop/cache",
    "'', west, app, app/west/app", // a namespace may have the name of a cluster
  })
  void shouldTellTheClusterOfAnId(String cluster, String namespace, String app, String id) {
    assertThat(WorkflowIds.app(cluster, namespace, app)).isEqualTo(id);
    assertThat(WorkflowIds.cluster(id)).isEqualTo(cluster);
    assertThat(WorkflowIds.cluster(WorkflowIds.task(id, 7, "7-config-db"))).isEqualTo(cluster);
    assertThat(WorkflowIds.isOperation(id)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "'', shop, report-1, op/shop/report-1",
    "west, shop, report-1, west/op/shop/report-1",
    "'', op, op, op/op/op",
  })
  void shouldKnowTheIdOfAnOperation(String cluster, String namespace, String name, String id) {
    assertThat(WorkflowIds.operation(cluster, namespace, name)).isEqualTo(id);
    assertThat(WorkflowIds.cluster(id)).isEqualTo(cluster);
    assertThat(WorkflowIds.isOperation(id)).isTrue();
  }

  @Test
  void shouldNotTakeAnAppForAnOperation() {
    assertThat(WorkflowIds.isOperation("app/op/cache")).isFalse();
    assertThat(WorkflowIds.isOperation("west/app/op/cache")).isFalse();
    assertThat(WorkflowIds.isOperation("backup/op/now")).isFalse();
  }
}
