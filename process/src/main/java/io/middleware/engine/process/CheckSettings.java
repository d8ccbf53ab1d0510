package io.middleware.engine.process;

import io.middleware.engine.process.settings.Setting;
import io.middleware.engine.process.settings.TextForm;
import java.util.List;

/** Whom checks may ask over HTTP. */
public record CheckSettings(
    @Setting(
            value =
                "Hosts to whose webhooks and Prometheus checks may send; without a port, that of"
                    + " the URL's scheme. Empty means none.",
            form = TextForm.HOST)
        List<String> hosts,
    @Setting(
            value =
                "URL of the Prometheus that checks without a url of their own ask, without"
                    + " /api/v1; its host need not be listed. If empty, such checks are refused.",
            form = TextForm.OPTIONAL_URL)
        String prometheusUrl) {}
