package io.middleware.engine.render;

import io.middleware.engine.api.Account;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * An account that an App asks for. In the specs of Component and Group it stands among the values,
 * as {@code account.NAME} and {@code account.NAME.privileges}.
 */
public record GroupAccount(String name, String privileges, SecretReference password) {
  /** No parameter of a type with accounts begins like this. */
  public static final String PREFIX = "account.";

  private static final String PRIVILEGES = ".privileges";
  private static final int LENGTH = 32;

  /** The Secret with the accounts of a group, which its pods mount. */
  public static String secretOf(String group) {
    return group + ".accounts";
  }

  /** Whether a value is about an account. */
  public static boolean isOne(String value) {
    return value.startsWith(PREFIX);
  }

  /** The values of a component together with its accounts; as they are without any. */
  public static Map<String, Object> into(Map<String, Object> values, List<Account> accounts) {
    if (accounts == null || accounts.isEmpty()) {
      return values;
    }
    var all = new TreeMap<String, Object>(Objects.requireNonNullElse(values, Map.of()));
    for (var account : accounts) {
      var password = account.password();
      all.put(
          PREFIX + account.name(),
          password == null ? Map.of(SecretReference.GENERATE, LENGTH) : new HashMap<>(password));
      all.put(PREFIX + account.name() + PRIVILEGES, account.privileges());
    }
    return all;
  }

  /** The accounts among the values of a group. */
  static List<GroupAccount> in(Map<String, Object> values) {
    return values.entrySet().stream()
        .filter(value -> isOne(value.getKey()) && !value.getKey().endsWith(PRIVILEGES))
        .flatMap(
            value ->
                SecretReference.of(value.getValue()).stream()
                    .map(
                        password ->
                            new GroupAccount(
                                value.getKey().substring(PREFIX.length()),
                                String.valueOf(values.get(value.getKey() + PRIVILEGES)),
                                password)))
        .toList();
  }

  /** The parameter by which agents reload it. */
  public String parameter() {
    return PREFIX + name;
  }

  /** As agents get it. */
  String text() {
    return privileges + " " + password;
  }
}
