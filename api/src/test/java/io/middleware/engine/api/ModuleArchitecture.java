package io.middleware.engine.api;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * What holds for the main classes of every module; a module's own {@code ArchitectureTest} adds to
 * it. What needs all modules at once is in {@code HouseTest} of the worker.
 */
@TestInstance(Lifecycle.PER_CLASS)
public abstract class ModuleArchitecture {
  /** More parameters than these are a record that has not been found yet. */
  private static final int CONSTRUCTOR_PARAMETERS = 8;

  protected final JavaClasses classes;

  /**
   * @param module its package, for example {@code io.middleware.engine.watcher}
   */
  protected ModuleArchitecture(String module) {
    this.classes =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(module);
  }

  /** How many constructors have too many parameters; a module that has some says so. */
  protected long longConstructors() {
    return 0;
  }

  @Test
  protected void shouldHaveNoPackageCycles() {
    slices().matching("io.middleware.engine.(**)").should().beFreeOfCycles().check(classes);
  }

  @Test
  protected void shouldNotUseASimpleTypeNameTwice() {
    // When
    var byName =
        classes.stream()
            .filter(JavaClass::isTopLevelClass)
            .map(JavaClass::getSimpleName)
            .filter(name -> !name.equals("package-info"))
            .collect(groupingBy(name -> name, counting()));
    // Then
    assertThat(byName).allSatisfy((name, count) -> assertThat(count).as(name).isEqualTo(1));
  }

  @Test
  protected void shouldMakeObjectsOfFewThings() {
    // When
    var tooLong =
        classes.stream()
            .filter(type -> !type.isRecord() && !type.isEnum() && !isBuilderOfRecord(type))
            .flatMap(type -> type.getConstructors().stream())
            .filter(it -> it.getRawParameterTypes().size() > CONSTRUCTOR_PARAMETERS)
            .map(
                it ->
                    "%s (%d)".formatted(it.getOwner().getName(), it.getRawParameterTypes().size()))
            .toList();
    // Then
    assertThat(tooLong).as("%s", tooLong).hasSizeLessThanOrEqualTo((int) longConstructors());
  }

  /** It is generated, and its private constructor takes what the record takes. */
  private boolean isBuilderOfRecord(JavaClass type) {
    var record = type.getName().replaceFirst("Builder$", "");
    return !record.equals(type.getName())
        && classes.contain(record)
        && classes.get(record).isRecord();
  }
}
