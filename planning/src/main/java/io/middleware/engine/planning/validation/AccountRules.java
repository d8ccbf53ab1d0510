package io.middleware.engine.planning.validation;

import static java.util.stream.Collectors.joining;

import io.middleware.engine.api.Account;
import io.middleware.engine.api.ComponentTemplate;
import io.middleware.engine.api.plugin.AccountOffer;
import io.middleware.engine.api.plugin.AccountOffer.Privileges;
import io.middleware.engine.api.plugin.ComponentType;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.planning.app.FieldPaths;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;

/** Checks the accounts that an App asks for. */
final class AccountRules {
  private AccountRules() {}

  static List<String> problems(ComponentTemplate component, ComponentType type) {
    var accounts = Objects.requireNonNullElse(component.accounts(), List.<Account>of());
    var field = FieldPaths.component(component.name()) + ".accounts";
    if (accounts.isEmpty()) {
      return List.of();
    }
    if (type.accounts() == null) {
      return List.of(
          "%s: type %s offers no accounts: leave them out".formatted(field, type.name()));
    }
    var problems = new ArrayList<String>();
    var names = new HashSet<String>();
    for (var account : accounts) {
      if (!names.add(account.name())) {
        problems.add("%s: two accounts are named %s".formatted(field, account.name()));
      }
      problems.addAll(problems("%s[%s]".formatted(field, account.name()), account, type));
    }
    missing(component, type.accounts()).forEach(name -> problems.add(required(field, name)));
    return problems;
  }

  private static List<String> problems(String field, Account account, ComponentType type) {
    var problems = new ArrayList<String>();
    var offer = type.accounts();
    if (isReserved(account.name(), type)) {
      problems.add("%s: this name is reserved: choose another one".formatted(field));
    }
    if (offer.rules(account.privileges()).isEmpty()) {
      problems.add(
          "%s.privileges: there are no privileges %s, only %s"
              .formatted(
                  field,
                  account.privileges(),
                  offer.privileges().stream().map(Privileges::name).collect(joining(", "))));
    }
    if (account.password() != null) {
      SecretValueRules.problem(account.password())
          .ifPresent(problem -> problems.add(field + ".password" + problem));
    }
    return problems;
  }

  private static boolean isReserved(String name, ComponentType type) {
    return Objects.requireNonNullElse(type.accounts().reserved(), List.of()).contains(name)
        || type.connection() != null && type.connection().username().equals(name);
  }

  /** The parameter that is required, where a group does not have it. */
  private static List<String> missing(ComponentTemplate component, AccountOffer offer) {
    var required = offer.requires();
    var everywhere = component.values() != null && component.values().containsKey(required);
    return required == null
            || everywhere
            || ComponentSpecs.groups(component).stream()
                .allMatch(group -> group.values() != null && group.values().containsKey(required))
        ? List.of()
        : List.of(required);
  }

  private static String required(String field, String name) {
    return "%s: there can be accounts only with a password of %s: set values.%s as well"
        .formatted(field, name, name);
  }
}
