/** The workflows that carry out IntegrationTests and LoadTests: rounds, steps and loads. */
package io.middleware.engine.workflows.testing;
