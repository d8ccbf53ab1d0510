package io.middleware.engine.watcher;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import io.middleware.engine.api.ModuleArchitecture;
import org.junit.jupiter.api.Test;

/** The watcher observes and signals; it carries out nothing itself. */
class ArchitectureTest extends ModuleArchitecture {
  ArchitectureTest() {
    super("io.middleware.engine.watcher");
  }

  @Test
  void shouldNotDependOnTheWorker() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.middleware.engine.render..",
            "io.middleware.engine.cluster..",
            "io.middleware.engine.planning..",
            "io.middleware.engine.activities..",
            "io.middleware.engine.worker..")
        .check(classes);
  }
}
