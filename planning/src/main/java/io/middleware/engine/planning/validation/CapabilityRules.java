package io.middleware.engine.planning.validation;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import io.middleware.engine.api.BackupSettings;
import io.middleware.engine.api.ComponentTemplate;
import io.middleware.engine.api.Monitoring;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.plugin.Capability;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.planning.app.DesiredApp;
import io.middleware.engine.planning.app.Refusal;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks that the App asks for nothing that its plugin does not do, and when backups are taken. */
final class CapabilityRules {
  private static final CronParser CRON =
      new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));

  private static final ZonedDateTime ANY_TIME = Instant.EPOCH.atZone(ZoneOffset.UTC);

  private final DesiredApp desiredApp;

  CapabilityRules(DesiredApp desiredApp) {
    this.desiredApp = desiredApp;
  }

  Optional<Refusal> support() {
    var problems = new ArrayList<String>();
    var monitoring = desiredApp.spec().monitoring();
    if (monitoring != null && isEnabled(monitoring) && !supports(Capability.MONITORING)) {
      problems.add(problem("spec.monitoring", Capability.MONITORING));
    }
    var backup = desiredApp.spec().backup();
    if (backup != null && backup.isEnabled() && !supports(Capability.BACKUP)) {
      problems.add(problem("spec.backup", Capability.BACKUP));
    } else if (backup != null && backup.areTakenBeforeUpgrade()) {
      beforeUpgrade().ifPresent(problems::add);
    }
    if (desiredApp.spec().access() != null) {
      desiredApp.templates().stream()
          .filter(component -> !supports(component, Capability.ACCESS))
          .map(this::unlimited)
          .forEach(problems::add);
    }
    return Refusal.of(Reasons.NOT_SUPPORTED, problems);
  }

  Optional<Refusal> schedule() {
    var backup = Optional.ofNullable(desiredApp.spec().backup());
    var problems = new ArrayList<String>();
    backup
        .map(BackupSettings::schedule)
        .flatMap(CapabilityRules::problem)
        .map(
            "spec.backup.schedule: %s; write five cron fields, for example \"0 3 * * *\""
                ::formatted)
        .ifPresent(problems::add);
    backup
        .map(BackupSettings::timeZone)
        .filter(zone -> !ZoneId.getAvailableZoneIds().contains(zone))
        .map(
            "spec.backup.timeZone: %s is not a time zone; write one such as Europe/Berlin"
                ::formatted)
        .ifPresent(problems::add);
    return Refusal.of(Reasons.INVALID_SPEC, problems);
  }

  /** The schema lets no other nicknames in than those that all crons have. */
  private static Optional<String> problem(String schedule) {
    if (schedule.startsWith("@")) {
      return Optional.empty();
    }
    try {
      var cron = CRON.parse(schedule).validate();
      return ExecutionTime.forCron(cron).nextExecution(ANY_TIME).isPresent()
          ? Optional.empty()
          : Optional.of(
              "%s never comes, because none of its months has such a day".formatted(schedule));
    } catch (IllegalArgumentException e) {
      return Optional.of("%s is not a cron schedule: %s".formatted(schedule, cause(e)));
    }
  }

  private static String cause(Throwable e) {
    return e.getCause() == null ? e.getMessage() : cause(e.getCause());
  }

  private Optional<String> beforeUpgrade() {
    var plugin =
        "plugin %s %s".formatted(desiredApp.plugin().name(), desiredApp.plugin().version());
    if (!desiredApp.plugin().hasAgents()) {
      return Optional.of(
          "spec.backup.beforeUpgrade: %s has no agents, which would take the backup: set it to false"
              .formatted(plugin));
    }
    return supports(Capability.BACKUP)
        ? Optional.empty()
        : Optional.of(
            "spec.backup.beforeUpgrade: %s supports no Backup for these components: set it to false"
                .formatted(plugin));
  }

  private static boolean isEnabled(Monitoring monitoring) {
    return !Boolean.FALSE.equals(monitoring.enabled());
  }

  /** Whoever asks for it counts on it for all components. */
  private String unlimited(ComponentTemplate component) {
    return "spec.access: plugin %s %s does not limit who may connect to component %s: remove the field"
        .formatted(desiredApp.plugin().name(), desiredApp.plugin().version(), component.name());
  }

  /** One of the App's components is enough: not all of them hold data. */
  private boolean supports(Capability capability) {
    return desiredApp.templates().stream().anyMatch(component -> supports(component, capability));
  }

  private boolean supports(ComponentTemplate component, Capability capability) {
    return desiredApp
        .catalog()
        .type(ComponentSpecs.type(component))
        .map(type -> type.supports() == null ? List.<Capability>of() : type.supports())
        .filter(supported -> supported.contains(capability))
        .isPresent();
  }

  private String problem(String field, Capability capability) {
    return "%s: plugin %s %s supports no %s for these components: remove the field, or set its enabled to false"
        .formatted(
            field, desiredApp.plugin().name(), desiredApp.plugin().version(), capability.label());
  }
}
