package io.middleware.engine.simulator;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Settings depend on agents, agents depend on the host, and never the other way round. */
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.middleware.engine.simulator");

  @Test
  void shouldHaveNoPackageCycles() {
    slices()
        .matching("io.middleware.engine.simulator.(**)")
        .should()
        .beFreeOfCycles()
        .check(CLASSES);
  }
}
