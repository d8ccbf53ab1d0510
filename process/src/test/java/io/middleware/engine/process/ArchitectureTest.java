package io.middleware.engine.process;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import io.middleware.engine.api.ModuleArchitecture;
import org.junit.jupiter.api.Test;

/** What both processes share; it knows neither of them. */
class ArchitectureTest extends ModuleArchitecture {
  ArchitectureTest() {
    super("io.middleware.engine.process");
  }

  @Test
  void shouldNotDependOnWhatUsesIt() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.middleware.engine.workflows..",
            "io.middleware.engine.render..",
            "io.middleware.engine.cluster..",
            "io.middleware.engine.planning..",
            "io.middleware.engine.activities..",
            "io.middleware.engine.worker..",
            "io.middleware.engine.watcher..")
        .check(classes);
  }
}
