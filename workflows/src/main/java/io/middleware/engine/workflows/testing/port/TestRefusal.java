package io.middleware.engine.workflows.testing.port;

/**
 * Why a round or a load does not begin.
 *
 * @param phase how the test ends; empty: it has ended before, or is gone
 * @param reason one word
 * @param message for people
 */
public record TestRefusal(String phase, String reason, String message) {}
