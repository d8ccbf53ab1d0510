package io.middleware.engine.render;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import io.middleware.engine.api.ModuleArchitecture;
import org.junit.jupiter.api.Test;

/** Templates, guard and schemas are pure. */
class ArchitectureTest extends ModuleArchitecture {
  ArchitectureTest() {
    super("io.middleware.engine.render");
  }

  @Test
  void shouldRenderWithoutCluster() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.fabric8.kubernetes.client..", "io.temporal..", "io.grpc..")
        .because("dev/render runs them without a cluster")
        .check(classes);
  }
}
