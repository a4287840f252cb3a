window.vegaEmbed = vegaEmbed;
