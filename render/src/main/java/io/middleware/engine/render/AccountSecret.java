package io.middleware.engine.render;

import static java.util.stream.Collectors.joining;

import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.AccountOffer;
import io.middleware.engine.render.guard.RenderedObjects;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The Secret of a group with the accounts that its App asks for, which the pods mount: {@code
 * NAME.privileges} and {@code NAME.rules} of each, without the passwords. It says where these are,
 * and whoever writes it fills them in as {@code NAME}. It is there without accounts as well, and
 * has a mark, so that agents do not take its absence for the end of all accounts.
 */
record AccountSecret(AccountOffer offer, RenderContext context, List<GroupAccount> accounts) {
  /** No account has such a name. */
  private static final String COMPLETE = ".complete";

  List<Map<String, Object>> trees() {
    if (accounts.isEmpty() && !isOffered()) {
      return List.of();
    }
    var texts = new TreeMap<>(Map.of(COMPLETE, "yes"));
    accounts.forEach(
        account -> {
          texts.put(account.name() + ".privileges", account.privileges());
          texts.put(account.name() + ".rules", offer.rules(account.privileges()).orElse(""));
        });
    return List.of(ConnectionSecrets.secret(name(), "Opaque", texts));
  }

  RenderedObjects marked(RenderedObjects objects) {
    return accounts.isEmpty()
        ? objects
        : new ObjectMarks(
                ConnectionSecrets.SECRET, Map.of(name(), Map.of(Labels.ACCOUNTS_FROM, from())))
            .on(objects);
  }

  private boolean isOffered() {
    return offer != null
        && (offer.requires() == null || context.extras().secrets().containsKey(offer.requires()));
  }

  private String name() {
    return GroupAccount.secretOf(context.subject().name());
  }

  private String from() {
    return accounts.stream().map(it -> it.name() + "=" + it.password()).collect(joining(" "));
  }
}
