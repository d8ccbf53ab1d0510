package io.middleware.engine.process;

import io.middleware.engine.process.settings.Setting;
import io.middleware.engine.process.settings.TextForm;
import java.util.List;

/** Whom checks may ask over HTTP. */
public record CheckSettings(
    @Setting(
            value =
                "Hosts whose webhooks and Prometheus checks may call; without a port, that of the "
                    + "URL's scheme. Empty means none.",
            form = TextForm.HOST)
        List<String> hosts,
    @Setting(
            value =
                "URL, without /api/v1, of the Prometheus for checks that have no url of their own; "
                    + "its host need not be listed. If empty, such checks are refused.",
            form = TextForm.OPTIONAL_URL)
        String prometheusUrl) {}
