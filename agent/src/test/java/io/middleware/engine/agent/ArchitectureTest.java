package io.middleware.engine.agent;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import io.middleware.engine.api.ModuleArchitecture;
import org.junit.jupiter.api.Test;

/** The agent is a sidecar: it knows its own pod and its server, but not the cluster. */
class ArchitectureTest extends ModuleArchitecture {
  ArchitectureTest() {
    super("io.middleware.engine.agent");
  }

  @Test
  void shouldNotKnowTheCluster() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.fabric8.kubernetes..")
        .because("the simulator plays pods, and the agent runs beside one")
        .check(classes);
  }

  @Test
  void shouldKeepOrdersAndElectionsPure() {
    noClasses()
        .that()
        .resideInAnyPackage("..agent.order..", "..agent.replication..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.grpc..", "io.lettuce..")
        .check(classes);
  }
}
